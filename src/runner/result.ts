import { endingOf } from "../agent/index.js";
import {
  type ErrorRecord,
  FORMAT_VERSION,
  type Outcome,
  secondsOf,
  type TrialResult,
} from "../events/index.js";
import type { PartEnd, TrialContext, Verdict } from "./types.js";
import type { UsageMeter } from "./usage.js";

export const NOT_STARTED: PartEnd = {
  turn: { end: "cancelled", error: null, steps: 0 },
  verdict: null,
  agentMs: 0,
  verifierMs: 0,
};

/** Measures a trial from here on. */
export function startClock() {
  const started = performance.now();
  let sandboxMs = 0;
  return {
    startedAt: new Date().toISOString(),
    sandboxReady(): number {
      sandboxMs = performance.now() - started;
      return secondsOf(sandboxMs);
    },
    durations: ({ agentMs, verifierMs }: PartEnd): TrialResult["durations"] => ({
      total_sec: secondsOf(performance.now() - started),
      sandbox_sec: secondsOf(sandboxMs),
      agent_sec: secondsOf(agentMs),
      verifier_sec: secondsOf(verifierMs),
    }),
  };
}
export type Clock = ReturnType<typeof startClock>;

/** Content of `result.json`. */
export function describeResult(
  context: TrialContext,
  clock: Clock,
  outcome: Outcome,
  end: PartEnd,
  usage: UsageMeter | null,
): TrialResult {
  const { turn, verdict } = end;
  return {
    format_version: FORMAT_VERSION,
    trial: context.trial,
    task: context.task.name,
    task_digest: context.task.digest,
    attempt: context.attempt,
    tries: context.try,
    agent: context.agent.name,
    sandbox: context.provider.kind,
    outcome,
    reward: verdict?.reward ?? null,
    rewards: verdict?.rewards ?? null,
    error: turn.error ?? verifierError(verdict),
    ...(verdict?.reliesOnProcesses === undefined
      ? {}
      : { relies_on_processes: verdict.reliesOnProcesses }),
    steps: turn.steps,
    usage: usage?.totals ?? null,
    started_at: clock.startedAt,
    finished_at: new Date().toISOString(),
    durations: clock.durations(end),
  };
}

/** The result of a trial that could not be run to its end. */
export function describeFailure(context: TrialContext, error: unknown): TrialResult {
  const failure = endingOf(error, context.signal);
  const end = { ...NOT_STARTED, turn: { ...NOT_STARTED.turn, ...failure } };
  return describeResult(context, startClock(), failure.end, end, null);
}

function verifierError(verdict: Verdict | null): ErrorRecord | null {
  if (!verdict?.error) return null;
  return { code: "verifier_error", message: verdict.error, hint: null };
}
