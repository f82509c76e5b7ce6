import { endingOf } from "../agent/index.js";
import { messageOf } from "../errors.js";
import { FORMAT_VERSION, type TrialResult } from "../events/index.js";
import type { Sandbox } from "../interfaces/index.js";
import { decideOutcome } from "../score/index.js";
import { awaitReady } from "./healthcheck.js";
import { findObstacle } from "./obstacle.js";
import { runParts } from "./parts.js";
import { type Clock, describeResult, NOT_STARTED, startClock } from "./result.js";
import type { PartEnd, TrialContext } from "./types.js";
import { UsageMeter } from "./usage.js";

/** One agent on one task, once: sandbox, agent, verifier, result. It never throws. */
export async function runTrial(context: TrialContext): Promise<TrialResult> {
  const { task, emit, signal } = context;
  const clock = startClock();
  const usage = new UsageMeter();
  emit({
    type: "trial_started",
    format_version: FORMAT_VERSION,
    task: task.name,
    attempt: context.attempt,
    try: context.try,
    agent: context.agent.name,
    instruction: task.instruction,
  });
  const obstacle = findObstacle(task, context.agent, context.provider);
  if (obstacle) {
    const error = { code: "skipped", message: obstacle.reason, hint: null };
    const end = { ...NOT_STARTED, turn: { ...NOT_STARTED.turn, error } };
    return describeResult(context, clock, "skipped", end, usage);
  }
  let end = NOT_STARTED;
  try {
    end = await runInSandbox(context, clock, usage);
  } catch (error) {
    end = { ...end, turn: { ...end.turn, ...endingOf(error, signal) } };
  }
  const outcome = decideOutcome(end.turn.end, end.verdict?.reward ?? null, context.gradeTimeouts);
  return describeResult(context, clock, outcome, end, usage);
}

async function runInSandbox(
  context: TrialContext,
  clock: Clock,
  usage: UsageMeter,
): Promise<PartEnd> {
  const { agent, attempt, watchdog, leash, emit, signal } = context;
  const note = (what: string) => (error: unknown) =>
    emit({ type: "note", text: `${what}: ${messageOf(error)}` });
  signal.throwIfAborted();
  const sandbox = await createSandbox(context);
  try {
    await awaitReady(sandbox, context.task, signal);
    const { kind, id, image } = sandbox;
    emit({ type: "sandbox_started", kind, id, image, duration_sec: clock.sandboxReady() });
    const session = await agent.open({ attempt, sandbox, watchdog, leash, signal });
    try {
      return await runParts(context, { sandbox, session, usage });
    } finally {
      await session.close().catch(note("the agent could not be stopped"));
    }
  } finally {
    await release(context, sandbox).catch(note("the sandbox could not be removed"));
  }
}

function createSandbox(context: TrialContext): Promise<Sandbox> {
  const { task, trial, run, limits, watchdog, signal } = context;
  const { outputLimitBytes } = limits;
  return context.provider.create({ task, trial, run, outputLimitBytes, watchdog, signal });
}

async function release({ keep, emit, signal }: TrialContext, sandbox: Sandbox): Promise<void> {
  try {
    if (keep && !signal.aborted) emit({ type: "sandbox_kept", ...(await sandbox.keep()) });
  } finally {
    await sandbox.close();
  }
}
