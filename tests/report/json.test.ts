import { expect, test } from "vitest";
import { createJsonReporter } from "../../src/report/json.js";
import { finishRun, startRun, startStep } from "./events.js";
import { createMemory } from "./memory.js";

test("each event is a line, and nothing else is written", async () => {
  const output = createMemory();
  const reporter = createJsonReporter(output);
  const events = [
    startRun(["a.1"]),
    ...startStep("a.1", 1, "echo '\u001b[31m\u009b2J'\necho \u2028\u202e"),
    finishRun([]),
  ];
  for (const event of events) reporter.event(event);
  await reporter.close?.();
  expect(output.lines.map((line) => JSON.parse(line))).toEqual(events);
  expect(output.text).not.toMatch(/(?!\n)[\p{Cc}\p{Zl}\p{Bidi_Control}]/u);
});

test("closing waits until the output took everything", async () => {
  let release = () => {};
  const reporter = createJsonReporter({
    write(_text, done) {
      if (done) release = done;
    },
  });
  let closed = false;
  const closing = reporter.close?.().then(() => {
    closed = true;
  });
  await Promise.resolve();
  expect(closed).toBe(false);
  release();
  await closing;
  expect(closed).toBe(true);
});
