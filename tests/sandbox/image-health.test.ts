import { expect, test } from "vitest";
import { healthcheckOf } from "../../src/sandbox/docker/image-health.js";

type Image = Parameters<typeof healthcheckOf>[0];

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
  expect(healthcheckOf({ Healthcheck } as Image, null)).toEqual(expected);
});

test.each([
  [{ test: ["NONE"] }, null],
  [
    { test: ["CMD-SHELL", "other"], retries: 9 },
    { command: "other", intervalSec: 2, retries: 9 },
  ],
  [
    { test: [], intervalNs: 5e9 },
    { command: "own", intervalSec: 5, retries: 7 },
  ],
])("a compose file's check goes over it: %j", (over, expected) => {
  const Healthcheck = { Test: ["CMD-SHELL", "own"], Interval: 2e9, Retries: 7 };
  const none = { intervalNs: 0, timeoutNs: 0, startPeriodNs: 0, startIntervalNs: 0, retries: 0 };
  const found = healthcheckOf({ Healthcheck } as Image, { healthcheck: { ...none, ...over } });
  if (expected) expect(found).toMatchObject(expected);
  else expect(found).toBeNull();
});
