import type Docker from "dockerode";
import type { Healthcheck } from "../../interfaces/index.js";
import { quote } from "../../shell-words.js";

const DEFAULT_NS = 30e9;
const DEFAULT_RETRIES = 3;

type ImageConfig = Pick<Docker.ImageInspectInfo["Config"], "Healthcheck">;

/** The image's own HEALTHCHECK, which has to pass before an agent begins; null if it has none. */
export function healthcheckOf(image: ImageConfig): Healthcheck | null {
  // A missing value or 0 is the engine's default.
  const { Test = [], Interval, Timeout, StartPeriod, Retries } = image.Healthcheck ?? {};
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

function seconds(nanoseconds: number): number {
  return nanoseconds / 1e9;
}
