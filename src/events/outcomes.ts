/** The one table of outcomes; everything that depends on how a trial ended derives from it. */
const TABLE = {
  passed: { scored: true, again: "never", sign: "✓", tone: "good", junit: "passed" },
  failed: { scored: true, again: "never", sign: "✗", tone: "bad", junit: "failure" },
  agent_timeout: { scored: true, again: "never", sign: "✗", tone: "bad", junit: "failure" },
  agent_crashed: { scored: true, again: "never", sign: "✗", tone: "bad", junit: "failure" },
  invalid_output: { scored: true, again: "never", sign: "✗", tone: "bad", junit: "failure" },
  idle: { scored: true, again: "never", sign: "✗", tone: "bad", junit: "failure" },
  max_steps: { scored: true, again: "never", sign: "✗", tone: "bad", junit: "failure" },
  verifier_error: { scored: true, again: "never", sign: "✗", tone: "bad", junit: "failure" },
  infra_error: { scored: false, again: "at_once", sign: "!", tone: "broken", junit: "error" },
  cancelled: { scored: false, again: "on_resume", sign: "-", tone: "none", junit: "skipped" },
  skipped: { scored: false, again: "never", sign: "-", tone: "none", junit: "skipped" },
} as const satisfies Record<string, OutcomeTraits>;

export interface OutcomeTraits {
  /** Whether it says something about the agent, so that rates count it. */
  scored: boolean;
  /** When the trial is retried: by the run itself, when the run is resumed, or never. */
  again: "at_once" | "on_resume" | "never";
  /** Shown in front of its name. */
  sign: string;
  /** How it is coloured. */
  tone: "good" | "bad" | "broken" | "none";
  /** The element it becomes in JUnit XML. */
  junit: "passed" | "failure" | "error" | "skipped";
}

export type Outcome = keyof typeof TABLE;

export const OUTCOMES = Object.keys(TABLE) as Outcome[];

/** What follows from an outcome. A trial that has none yet is `unfinished`. */
export function traitsOf(outcome: Outcome | "unfinished"): OutcomeTraits {
  return outcome === "unfinished" ? UNFINISHED : TABLE[outcome];
}

const UNFINISHED: OutcomeTraits = {
  scored: false,
  again: "on_resume",
  sign: "-",
  tone: "none",
  junit: "skipped",
};

export function isScored(outcome: Outcome): boolean {
  return TABLE[outcome].scored;
}

/** True for a result that stays when a run is resumed or merged. */
export function isFinal(outcome: Outcome): boolean {
  return TABLE[outcome].again === "never";
}
