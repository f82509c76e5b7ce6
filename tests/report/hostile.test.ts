import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Event } from "../../src/events/types.js";
import { createConsoleReporter } from "../../src/report/console.js";
import {
  finishCommand,
  finishRun,
  finishTrial,
  makeResult,
  runEvent,
  startRun,
  startStep,
  startTrial,
  trialEvent,
  verify,
} from "./events.js";
import { createMemory } from "./memory.js";
import { createTerminal } from "./terminal.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

// Clears the screen, sets the title, moves the cursor back, rings the bell, hides text, reverses it.
const evil =
  "x\u001b[2J\u001b[H\u001b]0;title\u0007\r\n\b\t\0\u001b[8m\u009b31m\u202e\u2028\ud800y\u001b[";
const trial = `${evil}.1`;
const error = { code: "x", message: evil, hint: evil };
const usage = { models: [evil], input_tokens: 1, output_tokens: 1, cost_usd: 1 };
const results = [
  makeResult(trial, "failed", { reward: 0, usage }),
  makeResult(trial, "agent_crashed", { error }),
  makeResult(trial, "infra_error", { error }),
];

const events: Event[] = [
  startRun([trial], { out: evil, agent: evil }),
  runEvent({ type: "image_started", image: evil, tasks: [evil] }),
  runEvent({ type: "image_progress", image: evil, line: evil }),
  runEvent({ type: "image_started", image: `${evil}2`, tasks: [evil] }),
  runEvent({ type: "image_progress", image: `${evil}2`, line: evil }),
  runEvent({
    type: "image_finished",
    image: evil,
    ok: false,
    cached: false,
    duration_sec: 1,
    error,
  }),
  runEvent({ type: "warning", text: evil }),
  startTrial(trial),
  trialEvent(trial, { type: "agent_stderr", text: evil }),
  trialEvent(trial, { type: "agent_noise", step: 1, text: evil }),
  trialEvent(trial, { type: "note", text: evil }),
  trialEvent(trial, { type: "response_invalid", step: 1, problem: evil, raw: evil, in_a_row: 1 }),
  ...startStep(trial, 1, evil, evil),
  finishCommand(trial, 1, 0),
  trialEvent(trial, { type: "sandbox_kept", enter: evil, remove: evil }),
  trialEvent(trial, { type: "trial_retried", reason: evil }),
  startTrial(trial),
  ...startStep(trial, 1, evil, evil),
  ...verify(trial, 0, evil),
];
const end: Event[] = [...results.map(finishTrial), finishRun(results)];

test.each([{ verbose: true }, { quiet: true }])("lines print no control: %o", (options) => {
  const stream = createMemory();
  const reporter = createConsoleReporter({ stream, isTty: false, color: false, ...options });
  for (const event of [...events, ...end]) reporter.event(event);
  expect(stream.lines.length).toBeGreaterThan(5);
  expect(stream.text).not.toMatch(/(?!\n)[\p{Cc}\p{Cs}\p{Zl}\p{Bidi_Control}]/u);
});

// The terminal throws at every control character that isn't the view's own.
test.each([60, 200])("the live view writes no control but its own, %i columns", async (columns) => {
  const stream = createTerminal(columns, 24);
  const reporter = createConsoleReporter({ stream, isTty: true, color: false, verbose: true });
  for (const event of events) {
    reporter.event(event);
    vi.advanceTimersByTime(100);
  }
  expect(stream.text.split("\n").at(-3)).toMatch(/\$ x␛\[2J/);
  for (const event of end) reporter.event(event);
  await reporter.close?.();
  expect(stream.text).not.toMatch(/[\p{Cs}\p{Zl}\p{Bidi_Control}]/u);
});
