import { expect, test, vi } from "vitest";
import { finishTrial, makeResult, startRun } from "./events.js";
import { createMemory } from "./memory.js";

// The colour library looks at these once, when it is loaded.
vi.hoisted(() => {
  process.env.FORCE_COLOR = "1";
  delete process.env.NO_COLOR;
});
const { createConsoleReporter } = await import("../../src/report/console.js");

function report(color: boolean): string {
  const stream = createMemory();
  const reporter = createConsoleReporter({ stream, isTty: false, color });
  reporter.event(startRun(["a.1"]));
  reporter.event(finishTrial(makeResult("a.1", "passed")));
  return stream.text;
}

test("colour when asked for", () => {
  expect(report(true)).toContain("\u001b[32m✓ passed\u001b[39m");
});

test("none otherwise, even if the environment asks for it", () => {
  expect(report(false)).not.toContain("\u001b");
});
