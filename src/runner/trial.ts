import { join } from "node:path";
import { asInfraError } from "../errors.js";
import {
  type AgentEnd,
  type Emit,
  type ErrorRecord,
  FORMAT_VERSION,
  type Outcome,
  type TrialResult,
} from "../events/types.js";
import type { Agent, AgentSession, Limits, Sandbox, SandboxProvider, Task } from "../interfaces.js";
import { decideOutcome } from "../score/outcome.js";
import { type PhaseEnd, runSteps, seconds } from "./steps.js";
import { UsageMeter } from "./usage.js";
import { type Verdict, verify } from "./verify.js";

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
  let phase: PhaseEnd = { end: "cancelled", error: null, steps: 0 };
  let verdict: Verdict | null = null;
  emit({
    type: "trial_started",
    format_version: FORMAT_VERSION,
    task: task.name,
    attempt: plan.attempt,
    try: plan.try,
    agent: plan.agent.name,
    instruction: task.instruction,
  });
  const refusal = refusalOf(plan);
  if (refusal) {
    const error = { code: "skipped", message: refusal, hint: null };
    return finish(plan, clock, "skipped", { phase: { ...phase, error }, verdict, usage });
  }
  try {
    signal.throwIfAborted();
    sandbox = await plan.provider.create(task, { trial: plan.trial, run: plan.run, signal });
    clock.lap("sandbox_sec");
    emit({
      type: "sandbox_started",
      kind: sandbox.kind,
      id: sandbox.id,
      image: sandbox.image,
      duration_sec: clock.durations.sandbox_sec,
    });
    phase = await runAgentPhase(plan, sandbox, usage);
    clock.lap("agent_sec");
    if (phase.end !== "infra_error" && phase.end !== "cancelled") {
      const timeoutSec = task.verifier.timeoutSec * plan.limits.timeoutMultiplier;
      const logsDir = join(plan.dir, "verifier");
      verdict = await verify({ task, sandbox, timeoutSec, logsDir, emit, signal });
      clock.lap("verifier_sec");
    }
  } catch (error) {
    const failure = explainFailure(error, signal);
    if (isSettled(phase.end, plan.gradeTimeouts)) emit({ type: "note", text: unverified(failure) });
    else phase = { ...phase, ...failure };
  } finally {
    await release(plan, sandbox);
  }
  return finish(
    plan,
    clock,
    decideOutcome(phase.end, verdict?.reward ?? null, plan.gradeTimeouts),
    {
      phase,
      verdict,
      usage,
    },
  );
}

function refusalOf({ task, provider, agent }: TrialPlan): string | null {
  return task.unsupported ?? provider.unsupported(task) ?? agent.unsupported?.(task) ?? null;
}

async function runAgentPhase(
  plan: TrialPlan,
  sandbox: Sandbox,
  usage: UsageMeter,
): Promise<PhaseEnd> {
  const { task, limits, emit, signal } = plan;
  const began = performance.now();
  const agentTimeoutSec =
    task.agentTimeoutSec === null ? null : task.agentTimeoutSec * limits.timeoutMultiplier;
  const budget = agentTimeoutSec === null ? Number.POSITIVE_INFINITY : agentTimeoutSec * 1000;
  const timeLeft = () => budget - (performance.now() - began);
  let session: AgentSession | null = null;
  let phase: PhaseEnd = { end: "cancelled", error: null, steps: 0 };
  const onStep = (steps: number) => {
    phase = { ...phase, steps };
  };
  let exit: { exitCode: number | null; signal: string | null } = { exitCode: null, signal: null };
  try {
    session = await plan.agent.start({
      task,
      attempt: plan.attempt,
      sandbox,
      limits,
      agentTimeoutSec,
      stderrFile: join(plan.dir, "agent.stderr.log"),
      emit,
      signal,
    });
    const { instruction } = task;
    phase = await runSteps({
      instruction,
      session,
      sandbox,
      limits,
      timeLeft,
      usage,
      onStep,
      emit,
      signal,
    });
  } catch (error) {
    phase = { ...phase, ...explainFailure(error, signal) };
  } finally {
    if (session) exit = await session.close(phase.end);
    emit({
      type: "agent_finished",
      end: phase.end,
      exit_code: exit.exitCode,
      signal: exit.signal,
      steps: phase.steps,
      duration_sec: seconds(performance.now() - began),
    });
  }
  return phase;
}

/** Whatever is thrown is the machine's fault, unless somebody asked for the end. */
function explainFailure(error: unknown, signal: AbortSignal): Pick<PhaseEnd, "end" | "error"> {
  if (signal.aborted) {
    const message = "the run was interrupted";
    return { end: "cancelled", error: { code: "cancelled", message, hint: null } };
  }
  const { code, message, hint } = asInfraError(error, "the trial could not go on");
  return { end: "infra_error", error: { code, message, hint } };
}

/** True when no verifier could change the outcome any more. */
function isSettled(end: AgentEnd, gradeTimeouts: boolean): boolean {
  if (end === "cancelled" || end === "completed") return false;
  return !(end === "agent_timeout" && gradeTimeouts);
}

function unverified(failure: Pick<PhaseEnd, "error">): string {
  return `there is no reward: ${failure.error?.message}`;
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
  let last = started;
  const durations = { total_sec: 0, sandbox_sec: 0, agent_sec: 0, verifier_sec: 0 };
  return {
    startedAt: new Date().toISOString(),
    durations,
    lap(phase: keyof typeof durations) {
      const now = performance.now();
      durations[phase] = seconds(now - (phase === "total_sec" ? started : last));
      last = now;
    },
  };
}

function finish(
  plan: TrialPlan,
  clock: Clock,
  outcome: Outcome,
  parts: { phase: PhaseEnd; verdict: Verdict | null; usage: UsageMeter },
): TrialResult {
  const { phase, verdict, usage } = parts;
  clock.lap("total_sec");
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
    durations: clock.durations,
  };
}

function verifierError(verdict: Verdict | null): ErrorRecord | null {
  if (!verdict?.error) return null;
  return { code: "verifier_error", message: verdict.error, hint: null };
}
