import { expect, test } from "vitest";
import type { Reporter } from "../../src/interfaces/index.js";
import { fanOut } from "../../src/report/fan-out.js";
import { finishRun, startRun } from "./events.js";

function createRecorder(): Reporter & { seen: string[] } {
  const seen: string[] = [];
  return {
    seen,
    event: (event) => seen.push(event.type),
    close: async () => void seen.push("closed"),
  };
}

test("one that throws is reported once and stops no other", async () => {
  const before = createRecorder();
  const after = createRecorder();
  const broken: Reporter = {
    event() {
      throw new Error("disk full");
    },
    close: () => Promise.reject(new Error("disk still full")),
  };
  const failures: [unknown, Reporter][] = [];
  const all = fanOut([before, broken, after, { event() {} }], (error, reporter) =>
    failures.push([error, reporter]),
  );
  all.event(startRun(["a.1"]));
  all.event(finishRun([]));
  await all.close?.();
  expect(before.seen).toEqual(["run_started", "run_finished", "closed"]);
  expect(after.seen).toEqual(before.seen);
  expect(failures).toEqual([[new Error("disk full"), broken]]);
});

test("a failure on closing is reported as well", async () => {
  const failures: unknown[] = [];
  const all = fanOut([{ event() {}, close: () => Promise.reject(new Error("late")) }], (error) =>
    failures.push(error),
  );
  await all.close?.();
  expect(failures).toEqual([new Error("late")]);
});

test("one that threw once still gets later events", () => {
  const seen: string[] = [];
  const all = fanOut(
    [
      {
        event(event) {
          if (event.type === "run_started") throw new Error("odd event");
          seen.push(event.type);
        },
      },
    ],
    () => {},
  );
  all.event(startRun(["a.1"]));
  all.event(finishRun([]));
  expect(seen).toEqual(["run_finished"]);
});
