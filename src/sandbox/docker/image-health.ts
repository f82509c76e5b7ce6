import type Docker from "dockerode";
import type { Healthcheck } from "../../interfaces/index.js";
import { quote } from "../../shell-words.js";
import type { Service } from "../../task/index.js";

const DEFAULT_NS = 30e9;
const DEFAULT_RETRIES = 3;

type ImageConfig = Pick<Docker.ImageInspectInfo["Config"], "Healthcheck">;

/**
 * The health check of the image, or of a compose file over it, which has to pass before an agent
 * begins; null if there is none.
 */
export function healthcheckOf(
  image: ImageConfig,
  service: Pick<Service, "healthcheck"> | null,
): Healthcheck | null {
  // A missing value or 0 is the engine's default.
  const { Test, Interval, Timeout, StartPeriod, Retries } = merge(image.Healthcheck, service);
  const [kind, ...words] = Test;
  if (kind !== "CMD" && kind !== "CMD-SHELL") return null;
  const intervalSec = seconds(Interval || DEFAULT_NS);
  return {
    command: kind === "CMD" ? words.map(quote).join(" ") : words.join(" "),
    intervalSec,
    timeoutSec: seconds(Timeout || DEFAULT_NS),
    // The engine's first check comes after an interval. Here the first one comes at once, so what
    // fails in that time doesn't count.
    startPeriodSec: seconds(StartPeriod ?? 0) + intervalSec,
    startIntervalSec: Math.min(1, intervalSec),
    retries: Retries || DEFAULT_RETRIES,
  };
}

/** As the engine does it: what a compose file leaves out is the image's. */
function merge(own: ImageConfig["Healthcheck"], service: Pick<Service, "healthcheck"> | null) {
  const over = service?.healthcheck;
  return {
    Test: over && over.test.length > 0 ? over.test : (own?.Test ?? []),
    Interval: over?.intervalNs || own?.Interval,
    Timeout: over?.timeoutNs || own?.Timeout,
    StartPeriod: over?.startPeriodNs || own?.StartPeriod,
    Retries: over?.retries || own?.Retries,
  };
}

function seconds(nanoseconds: number): number {
  return nanoseconds / 1e9;
}
