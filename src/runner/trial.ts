import type { Outcome } from "../events/outcomes.js";
import { type ErrorRecord, FORMAT_VERSION, type TrialResult } from "../events/records.js";
import type { Emit } from "../events/types.js";
import type { Agent, Limits, Sandbox, SandboxProvider, Task } from "../interfaces/index.js";
import { decideOutcome } from "../score/outcome.js";
import { explainFailure } from "./failure.js";
import { awaitHealth } from "./healthcheck.js";
import type { PartEnd } from "./part.js";
import { runParts } from "./parts.js";
import { type PhaseEnd, seconds } from "./steps.js";
import { UsageMeter } from "./usage.js";
import type { Verdict } from "./verify.js";

export interface TrialPlan {
  trial: string;
  run: string;
  task: Task;
  attempt: number;
  try: number;
  agent: Agent;
  provider: SandboxProvider;
  limits: Limits;
  gradeTimeouts: boolean;
  keep: boolean;
  /** Folder of this trial's files. */
  dir: string;
  emit: Emit;
  signal: AbortSignal;
}

/** One agent on one task, once: sandbox, agent phase, verifier, result. It never throws. */
export async function runTrial(plan: TrialPlan): Promise<TrialResult> {
  const { task, emit, signal } = plan;
  const clock = startClock();
  const usage = new UsageMeter();
  let sandbox: Sandbox | null = null;
  let end: PartEnd = { phase: NOT_BEGUN, verdict: null, agentMs: 0, verifierMs: 0 };
  emit({
    type: "trial_started",
    format_version: FORMAT_VERSION,
    task: task.name,
    attempt: plan.attempt,
    try: plan.try,
    agent: plan.agent.name,
  });
  const refusal = refusalOf(plan);
  if (refusal) {
    const error = { code: "skipped", message: refusal, hint: null };
    return finish(plan, clock, "skipped", { ...end, phase: { ...NOT_BEGUN, error } }, usage);
  }
  try {
    signal.throwIfAborted();
    sandbox = await openSandbox(plan, clock);
    end = await runParts(plan, sandbox, usage);
  } catch (error) {
    end = { ...end, phase: { ...end.phase, ...explainFailure(error, signal) } };
  } finally {
    await release(plan, sandbox);
  }
  const outcome = decideOutcome(end.phase.end, end.verdict?.reward ?? null, plan.gradeTimeouts);
  return finish(plan, clock, outcome, end, usage);
}

const NOT_BEGUN: PhaseEnd = { end: "cancelled", error: null, steps: 0 };

function refusalOf({ task, provider, agent }: TrialPlan): string | null {
  return task.unsupported ?? provider.unsupported(task) ?? agent.unsupported?.(task) ?? null;
}

async function openSandbox(plan: TrialPlan, clock: Clock): Promise<Sandbox> {
  const { task, trial, run, signal, emit } = plan;
  const sandbox = await plan.provider.create(task, { trial, run, signal });
  try {
    const { healthcheck } = task.environment;
    if (healthcheck) await awaitHealth(sandbox, healthcheck, { user: null, signal });
  } catch (error) {
    await release(plan, sandbox);
    throw error;
  }
  const duration_sec = clock.sandboxReady();
  emit({
    type: "sandbox_started",
    kind: sandbox.kind,
    id: sandbox.id,
    image: sandbox.image,
    duration_sec,
  });
  return sandbox;
}

async function release(plan: TrialPlan, sandbox: Sandbox | null): Promise<void> {
  if (!sandbox) return;
  if (plan.keep && !plan.signal.aborted) {
    const kept = await sandbox.keep();
    plan.emit({ type: "sandbox_kept", ...kept });
  }
  await sandbox.close().catch((error) => {
    plan.emit({ type: "note", text: `the sandbox could not be removed: ${error}` });
  });
}

type Clock = ReturnType<typeof startClock>;

function startClock() {
  const started = performance.now();
  let sandboxMs = 0;
  return {
    startedAt: new Date().toISOString(),
    sandboxReady(): number {
      sandboxMs = performance.now() - started;
      return seconds(sandboxMs);
    },
    durations: ({ agentMs, verifierMs }: PartEnd) => ({
      total_sec: seconds(performance.now() - started),
      sandbox_sec: seconds(sandboxMs),
      agent_sec: seconds(agentMs),
      verifier_sec: seconds(verifierMs),
    }),
  };
}

function finish(
  plan: TrialPlan,
  clock: Clock,
  outcome: Outcome,
  end: PartEnd,
  usage: UsageMeter,
): TrialResult {
  const { phase, verdict } = end;
  return {
    format_version: FORMAT_VERSION,
    trial: plan.trial,
    task: plan.task.name,
    task_digest: plan.task.digest,
    attempt: plan.attempt,
    tries: plan.try,
    agent: plan.agent.name,
    sandbox: plan.provider.kind,
    outcome,
    reward: verdict?.reward ?? null,
    rewards: verdict?.rewards ?? null,
    error: phase.error ?? verifierError(verdict),
    steps: phase.steps,
    usage: usage.totals,
    started_at: clock.startedAt,
    finished_at: new Date().toISOString(),
    durations: clock.durations(end),
  };
}

function verifierError(verdict: Verdict | null): ErrorRecord | null {
  if (!verdict?.error) return null;
  return { code: "verifier_error", message: verdict.error, hint: null };
}
