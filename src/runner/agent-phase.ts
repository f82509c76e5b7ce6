import type { AgentSession, Sandbox } from "../interfaces/index.js";
import { explainFailure } from "./failure.js";
import { type PhaseEnd, runSteps, seconds } from "./steps.js";
import type { TrialPlan } from "./trial.js";
import type { UsageMeter } from "./usage.js";

/** Starts the agent, lets it work until something ends it, and ends it whatever happens. */
export async function runAgentPhase(
  plan: TrialPlan & { stderrFile: string },
  sandbox: Sandbox,
  usage: UsageMeter,
): Promise<PhaseEnd> {
  const { task, limits, emit, signal, stderrFile } = plan;
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
    const { attempt } = plan;
    const context = { task, attempt, sandbox, limits, agentTimeoutSec, stderrFile, emit, signal };
    session = await plan.agent.start(context);
    const { instruction } = task;
    const work = { instruction, session, sandbox, limits, timeLeft, usage, onStep, emit, signal };
    phase = await runSteps(work);
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
