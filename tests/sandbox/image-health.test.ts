import { expect, test } from "vitest";
import { healthcheckOf } from "../../src/sandbox/docker/image-health.js";

test.each([
  [undefined, null],
  [{ Test: ["NONE"] }, null],
  [{ Test: [] }, null],
  [
    { Test: ["CMD-SHELL", "test -e /ready || exit 1"], Interval: 2e9, Timeout: 3e9, Retries: 7 },
    {
      command: "test -e /ready || exit 1",
      intervalSec: 2,
      timeoutSec: 3,
      startPeriodSec: 2,
      startIntervalSec: 1,
      retries: 7,
    },
  ],
  [
    { Test: ["CMD", "/bin/check", "a b"], Interval: 0, StartPeriod: 10e9 },
    {
      command: "'/bin/check' 'a b'",
      intervalSec: 30,
      timeoutSec: 30,
      startPeriodSec: 40,
      startIntervalSec: 1,
      retries: 3,
    },
  ],
])("the HEALTHCHECK of an image is read: %j", (Healthcheck, expected) => {
  expect(healthcheckOf({ Healthcheck } as Parameters<typeof healthcheckOf>[0])).toEqual(expected);
});
