import type { Fields } from "../fields.js";
import type { ServiceHealth } from "./project.js";
import { duration, flag, number, strings } from "./values.js";

const KINDS = ["NONE", "CMD", "CMD-SHELL"];

/** null: the image's own. A test that isn't given is the image's, with other intervals. */
export function readHealthcheck(service: Fields): ServiceHealth | null {
  if (!service.has("healthcheck")) return null;
  const fields = service.table("healthcheck");
  const settings = {
    intervalNs: duration(fields, "interval") ?? 0,
    timeoutNs: duration(fields, "timeout") ?? 0,
    startPeriodNs: duration(fields, "start_period") ?? 0,
    startIntervalNs: duration(fields, "start_interval") ?? 0,
    retries: number(fields, "retries") ?? 0,
  };
  const test = fields.raw("test");
  const given = strings(fields, "test");
  if (Array.isArray(test) && given.length > 0 && !KINDS.includes(given[0] as string))
    throw fields.wrong(
      "test",
      'a string, or a list that starts with "CMD", "CMD-SHELL" or "NONE"',
      test,
    );
  if (flag(fields, "disable")) return { ...settings, test: ["NONE"] };
  return { ...settings, test: typeof test === "string" ? ["CMD-SHELL", test] : given };
}
