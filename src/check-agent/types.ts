import type { AgentCommand, Answer as ProcessAnswer } from "../agent/index.js";
import type { Leash } from "../leash/index.js";
import type { Watchdog } from "../process/index.js";
import type { StepRequest } from "../protocol/index.js";

export type PointStatus = "passed" | "warning" | "failed" | "not_seen";

/** One thing that an agent must get right, and whether it does. */
export interface Point {
  id: string;
  title: string;
  status: PointStatus;
  seen: string;
  /** Why it matters; null when it passed. */
  reason: string | null;
  fix: string | null;
}

export interface CheckReport {
  format_version: number;
  agent: { name: string; command: string[] };
  ok: boolean;
  totals: Record<PointStatus, number>;
  duration_sec: number;
  points: Point[];
}

export type ScenarioId =
  | "plain"
  | "nothing_asked"
  | "nulls"
  | "unicode"
  | "big_output"
  | "failures"
  | "second_chance";

/** What a command showed; all null when there was none. */
export type Shown = Pick<StepRequest, "last_command" | "output" | "exit_code">;

export type Answer = Exclude<ProcessAnswer, { kind: "timeout" }> | { kind: "silent" };

/** One request, and what came back. */
export interface Exchange {
  request: StepRequest;
  answer: Answer;
  ms: number;
  /** Further answers that came before the next request. */
  extra: string[];
}

/** What the agent wrote in the wrong way, with the beginning of it. */
export interface FormatProblems {
  noise: string[];
  /** Objects written on several lines. */
  spread: string[];
  /** Lines with more than one object. */
  crowded: string[];
  /** The last bytes before stdin was closed had no newline after them. */
  unterminated: boolean;
}

/** All that was seen of one process of the agent, from its start to its end. */
export interface SessionRecord {
  scenario: ScenarioId;
  /** Answers that came before the first request. */
  early: string[];
  exchanges: Exchange[];
  completed: boolean;
  /** Answers after completion, or, when it did not complete, after stdin was closed. */
  late: string[];
  formatProblems: FormatProblems;
  /** null: it had to be killed. */
  exit: { how: string; ms: number } | null;
  /** Command lines of processes that outlived it; null when this could not be seen. */
  left: string[] | null;
  stderr: string;
}

/** What every conversation with the agent needs. */
export interface Setup {
  command: AgentCommand;
  env: Record<string, string>;
  instruction: string;
  timeoutMs: number;
  /** Time to exit after stdin was closed. */
  cleanupMs: number;
  watchdog: Watchdog;
  leash: Leash | null;
  signal: AbortSignal;
}

/** What the points are judged by. */
export interface Evidence {
  plain: SessionRecord;
  sessions: SessionRecord[];
  timeoutSec: number;
  /** Variables that were withheld from the agent. */
  withheld: string[];
  /** When step 1 got no answer: did anything come after many requests, with stdin still open? */
  spilled: boolean | null;
  /** When the agent ended on step 1: does it answer the same request without nulls? */
  answersWithoutNulls: boolean | null;
}
