import type { Outcome } from "../../src/events/outcomes.js";
import type { StoredStep, StoredTrial } from "../support/stored-run.js";

/** Trials that look like real ones; the same every time. */
export function* makeTrials(
  tasks: number,
  attempts: number,
  steps: number,
): Generator<StoredTrial> {
  const random = createRandom(7);
  const names = ["parse-log", "fix-build", "sort-csv", "find-leak", "merge-branches", "tune-query"];
  for (let task = 0; task < tasks; task++) {
    const name = `${names[task % names.length]}-${String(task).padStart(3, "0")}`;
    const skill = random();
    const price = 0.0005 + random() * 0.004;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const outcome = chooseOutcome(random(), skill);
      yield {
        task: name,
        attempt,
        outcome,
        seconds: 20 + random() * 400 * (1.2 - skill),
        steps: Array.from({ length: steps }, (_, step) => makeStep(step, steps, price, random)),
        verifier:
          outcome === "passed"
            ? "\u001b[32m4 passed\u001b[0m in 0.3s"
            : "FAILED tests/test_it.py::test_out - AssertionError: expected 42\n\u001b[31m1 failed\u001b[0m, 3 passed in 0.4s",
        ...(outcome === "agent_timeout"
          ? { error: { code: outcome, message: "the agent's 900 s ran out", hint: null } }
          : {}),
        ...(outcome === "infra_error"
          ? { error: { code: "infra", message: "no space left on device", hint: "Free some." } }
          : {}),
      };
    }
  }
}

function chooseOutcome(roll: number, skill: number): Outcome {
  if (roll < 0.03) return "infra_error";
  if (roll < 0.07) return "agent_timeout";
  return roll < 0.07 + 0.93 * skill ? "passed" : "failed";
}

function makeStep(step: number, steps: number, price: number, random: () => number): StoredStep {
  const id = Math.floor(random() * 1e9).toString(36);
  const failed = random() < 0.1;
  return {
    text: `I look at part ${id} of the source before I change anything.`,
    command: `grep -rn "${id}" src/ | sort | uniq -c | head -n ${step + 5}`,
    output: failed
      ? `\u001b[1;31merror\u001b[0m: ${id}: no such file or directory`
      : Array.from(
          { length: 8 },
          (_, line) =>
            `\u001b[35msrc/${id}-${line}.ts\u001b[0m:\u001b[32m${line * 7}\u001b[0m: const value = ${Math.floor(random() * 1e9)};`,
        ).join("\n"),
    exit_code: failed ? 1 : 0,
    cost_usd: price * (0.8 + random() * 0.4),
    complete: step === steps - 1,
    ...(step % 10 === 3 ? { stderr: ["WARNING:root:slow answer", "retrying in 1 s"] } : {}),
  };
}

// A linear congruential generator: plain, and the same on every machine.
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
