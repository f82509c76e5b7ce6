import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TrialResult } from "../../src/events/records.js";

/** Rewards by name, or the name of the error that left the trial without any. */
export type Verdict = Record<string, number> | { error: string };

export const AGENTS = ["oracle", "nop"] as const;
export type ParityAgent = (typeof AGENTS)[number];

type Verdicts = Partial<Record<ParityAgent, Verdict>>;

/** A task's `expected.json`. */
interface Expected extends Verdicts {
  isolates: string;
  /** Whether it needs nothing but a shell, so that it runs in any sandbox. */
  portable?: boolean;
  /** The verdicts that are others here, and why. */
  here?: Verdicts;
  why?: string;
}

export interface ParityTask {
  name: string;
  dir: string;
  format: "harbor" | "terminal-bench";
  expected: Expected;
}

const TASKS = fileURLToPath(new URL("./tasks", import.meta.url));

/** What the tasks' templates refer to. */
export const VARIABLES = { PARITY_SET: "from outside", PARITY_EMPTY: "" };

export function readSuite(): ParityTask[] {
  return readdirSync(TASKS)
    .sort()
    .map((name) => {
      const dir = join(TASKS, name);
      const format = existsSync(join(dir, "task.yaml")) ? "terminal-bench" : "harbor";
      const expected = JSON.parse(readFileSync(join(dir, "expected.json"), "utf8")) as Expected;
      return { name, dir, format, expected };
    });
}

/** What term-run has to give; null if the agent isn't run on the task. */
export function verdictHere({ expected }: ParityTask, agent: ParityAgent): Verdict | null {
  return expected.here?.[agent] ?? expected[agent] ?? null;
}

/** What a trial of term-run gave, in the words of the task's own harness. */
export function verdictOf(result: TrialResult, { format }: ParityTask): Verdict {
  const { outcome, rewards, reward, error } = result;
  if (rewards !== null && format === "harbor") return rewards;
  if (reward !== null) return { reward };
  const message = error?.message ?? "";
  const known = ERRORS[format].find(
    ([, of, words]) => of === outcome && (words === null || words.test(message)),
  );
  return { error: known?.[0] ?? `${outcome}: ${message}` };
}

type KnownError = [name: string, outcome: TrialResult["outcome"], words: RegExp | null];

/** The first that fits. */
const ERRORS: Record<ParityTask["format"], KnownError[]> = {
  harbor: [
    ["RewardFileNotFoundError", "verifier_error", /wrote no .*reward/],
    ["RewardFileEmptyError", "verifier_error", /^reward\.\w+ is empty/],
    ["VerifierTimeoutError", "verifier_error", /^the verifier timed out/],
    ["VerifierOutputParseError", "verifier_error", null],
    ["HealthcheckError", "infra_error", /health check failed/],
  ],
  "terminal-bench": [
    ["test_timeout", "verifier_error", /^the verifier timed out/],
    ["parse_error", "verifier_error", null],
  ],
};

/** The table of explained differences in docs/compatibility.md. */
export function differenceRows(): string[] {
  return readSuite().flatMap((task) =>
    Object.entries(task.expected.here ?? {}).map(([agent, here]) => {
      const there = task.expected[agent as ParityAgent] as Verdict;
      const cells = [`\`${task.name}\``, show(there), show(here), task.expected.why];
      return `| ${cells.join(" | ")} |`;
    }),
  );
}

export function show(verdict: Verdict): string {
  if (typeof verdict.error === "string") return verdict.error;
  const entries = Object.entries(verdict).map(([name, value]) => `${name} ${value}`);
  return entries.length === 0 ? "no rewards" : entries.join(", ");
}
