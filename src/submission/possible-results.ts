import type { AgentEnd, Outcome, TrialResult } from "../events/index.js";
import { combine, type PartEnd } from "../runner/index.js";
import { decideOutcome } from "../score/index.js";
import type { Trace } from "./trace.js";

/** The parts of a result that the log of a trial determines. */
export type LoggedResult = Pick<TrialResult, "outcome" | "reward" | "rewards" | "steps">;

const STOPPED = ["infra_error", "cancelled"] as const;

/** The results that a log allows: one, unless the log ends where the trial was stopped. */
export function listPossibleResults(trace: Trace, gradeTimeouts: boolean): LoggedResult[] {
  const { agents, parts, sandbox } = trace;
  const nothing = (outcome: Outcome): LoggedResult => {
    return { outcome, reward: null, rewards: null, steps: 0 };
  };
  if (agents.length === 0 && !sandbox) return [...STOPPED, "skipped" as const].map(nothing);
  // Between two parts only an infrastructure error or a cancellation can have ended the trial.
  if (agents.length < Math.max(1, parts)) return STOPPED.map(nothing);
  return listLastEnds(trace, gradeTimeouts).map((last) =>
    read(combine(listEnds(trace, last), trace.strategy), gradeTimeouts),
  );
}

/** A completed agent, or a graded timeout, without a verdict: the trial was stopped in between. */
function listLastEnds({ agents, verifiers }: Trace, gradeTimeouts: boolean): AgentEnd[] {
  const end = agents.at(-1)?.end ?? "cancelled";
  const open = end === "completed" || (end === "agent_timeout" && gradeTimeouts);
  return open && verifiers.length < agents.length ? [...STOPPED] : [end];
}

function listEnds({ agents, verifiers }: Trace, last: AgentEnd): PartEnd[] {
  return agents.map(({ end, steps }, index) => {
    const { reward, rewards, error } = verifiers[index] ?? {};
    return {
      turn: { end: index === agents.length - 1 ? last : end, error: null, steps },
      verdict:
        reward === undefined ? null : { reward, rewards: rewards ?? null, error: error ?? null },
      agentMs: 0,
      verifierMs: 0,
    };
  });
}

function read({ turn, verdict }: PartEnd, gradeTimeouts: boolean): LoggedResult {
  const reward = verdict?.reward ?? null;
  return {
    outcome: decideOutcome(turn.end, reward, gradeTimeouts),
    reward,
    rewards: verdict?.rewards ?? null,
    steps: turn.steps,
  };
}
