import { endingOf, SandboxTerminal } from "../agent/index.js";
import { type Emit, openLines, secondsOf } from "../events/index.js";
import type { AgentExit, AgentSession, Sandbox, Task } from "../interfaces/index.js";
import { startTurnClock } from "./turn-clock.js";
import type { TrialContext, TurnEnd } from "./types.js";
import type { UsageMeter } from "./usage.js";

export interface Workplace {
  sandbox: Sandbox;
  session: AgentSession;
  usage: UsageMeter;
}

/** Lets the agent work on one instruction until it is done or something ends it. */
export async function runTurn(
  context: TrialContext,
  task: Task,
  { sandbox, session, usage }: Workplace,
  stderrFile: string,
): Promise<TurnEnd> {
  const { limits, signal } = context;
  const clock = startTurnClock(task, limits.timeoutMultiplier);
  const stderr = openLines(stderrFile);
  const emit: Emit = (event) => {
    if (event.type === "response") usage.add(event.data);
    if (event.type === "agent_stderr") stderr.add(context.redactor.text(event.text));
    context.emit(event);
  };
  const ended = AbortSignal.any([signal, clock.expired]);
  const { timeLeft } = clock;
  const terminal = new SandboxTerminal({ sandbox, limits, timeLeft, emit, signal: ended });
  let end: Omit<TurnEnd, "steps"> = { end: "cancelled", error: null };
  let exit: AgentExit | null = null;
  try {
    const work = { task, terminal, limits, timeoutSec: clock.timeoutSec, timeLeft, emit };
    ({ exit, ...end } = await session.work(task.instruction, { ...work, signal: ended }));
  } catch (error) {
    end = endingOf(error, ended);
  } finally {
    context.emit({
      type: "agent_finished",
      end: end.end,
      exit_code: exit?.exitCode ?? null,
      signal: exit?.signal ?? null,
      steps: terminal.steps,
      duration_sec: secondsOf(clock.elapsed()),
    });
    stderr.close();
    clock.stop();
  }
  return { ...end, steps: terminal.steps };
}
