import type { AgentEnd, ErrorRecord } from "../events/records.js";
import type { Emit } from "../events/types.js";
import type { AgentReply, AgentSession, Limits, Sandbox } from "../interfaces/index.js";
import type { StepRequest, StepResponse } from "../protocol/types.js";
import type { UsageMeter } from "./usage.js";

export interface PhaseEnd {
  end: AgentEnd;
  error: ErrorRecord | null;
  steps: number;
}

export interface Phase {
  instruction: string;
  session: AgentSession;
  sandbox: Sandbox;
  limits: Limits;
  /** Milliseconds left of the whole agent phase; Infinity when it has no limit. */
  timeLeft: () => number;
  usage: UsageMeter;
  /** Told before each step begins. */
  onStep: (step: number) => void;
  emit: Emit;
  signal: AbortSignal;
}

/** The step loop: ask, run what was answered, ask again, until something ends it. */
export async function runSteps(phase: Phase): Promise<PhaseEnd> {
  const { limits, sandbox } = phase;
  let last: LastCommand = NO_COMMAND;
  let idle = 0;
  for (let step = 1; step <= limits.maxSteps; step++) {
    phase.onStep(step);
    const request = { ...requestFor(phase, step), ...last, cwd: sandbox.cwd };
    const answer = await askUntilValid(phase, request);
    if ("end" in answer) return { ...answer, steps: step };
    const { response } = answer;
    const command = response.command?.trim() ? response.command : null;
    last = command === null ? NO_COMMAND : await runCommand(phase, step, command);
    if (response.task_complete) return { end: "completed", error: null, steps: step };
    if (phase.timeLeft() <= 0) return { ...outOfTime(), steps: step };
    idle = command === null ? idle + 1 : 0;
    if (idle >= limits.maxIdle) return { ...isIdle(idle), steps: step };
  }
  const message = `the agent did not complete the task within ${limits.maxSteps} steps`;
  return { end: "max_steps", error: record("max_steps", message), steps: limits.maxSteps };
}

type LastCommand = Pick<StepRequest, "last_command" | "output" | "exit_code">;
const NO_COMMAND: LastCommand = { last_command: null, output: null, exit_code: null };

function requestFor(phase: Phase, step: number): Pick<StepRequest, "instruction" | "step"> {
  return { instruction: phase.instruction, step };
}

/** An invalid answer gets another chance, with the reason; too many in a row end the trial. */
async function askUntilValid(
  phase: Phase,
  request: StepRequest,
): Promise<{ response: StepResponse } | Omit<PhaseEnd, "steps">> {
  const { limits, emit } = phase;
  let error: string | null = null;
  for (let invalid = 1; ; invalid++) {
    const timeoutMs = Math.min(limits.stepTimeoutSec * 1000, phase.timeLeft());
    const asked = performance.now();
    emit({ type: "step_started", step: request.step, cwd: request.cwd, error });
    const question = error === null ? request : { ...request, error };
    const reply = await phase.session.ask(question, { timeoutMs, signal: phase.signal });
    if (reply.kind === "response") {
      noteResponse(phase, request.step, reply.response, performance.now() - asked);
      return { response: reply.response };
    }
    if (reply.kind !== "invalid") return endOf(phase, reply, timeoutMs);
    const { problem, raw } = reply;
    emit({ type: "response_invalid", step: request.step, problem, raw, in_a_row: invalid });
    if (invalid >= limits.maxInvalid) {
      const message =
        invalid === 1
          ? `an invalid answer: ${problem}`
          : `${invalid} invalid answers in a row; the last: ${problem}`;
      return { end: "invalid_output", error: record("invalid_output", message) };
    }
    error = problem;
  }
}

function noteResponse(phase: Phase, step: number, response: StepResponse, took: number): void {
  const { command, task_complete, text, data, extra, legacy } = response;
  phase.usage.add(data);
  const duration_sec = seconds(took);
  phase.emit({ type: "response", step, command, task_complete, text, data, extra, duration_sec });
  if (legacy && legacy.length > 0) {
    const keys = legacy.length === 1 ? "keystrokes" : `${legacy.length} sets of keystrokes`;
    phase.emit({ type: "note", text: `legacy answer: its ${keys} run as shell lines, in order` });
  }
}

async function runCommand(phase: Phase, step: number, command: string): Promise<LastCommand> {
  const { sandbox, limits, emit } = phase;
  const own = phase.session.patient ? Number.POSITIVE_INFINITY : limits.commandTimeoutSec * 1000;
  const timeoutMs = Math.max(1, Math.min(own, phase.timeLeft(), MAX_TIMER_MS));
  emit({ type: "command_started", step, command });
  const result = await sandbox.run(command, { timeoutMs, signal: phase.signal });
  emit({
    type: "command_finished",
    step,
    exit_code: result.exitCode,
    output: result.output,
    output_bytes: result.outputBytes,
    cut_bytes: result.cutBytes,
    timed_out: result.timedOut,
    shell_restarted: result.shellRestarted,
    cwd: sandbox.cwd,
    duration_sec: seconds(result.durationMs),
  });
  return { last_command: command, output: result.output, exit_code: result.exitCode };
}

/** Node's timers can't wait longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function endOf(
  phase: Phase,
  reply: Exclude<AgentReply, { kind: "response" | "invalid" }>,
  timeoutMs: number,
): Omit<PhaseEnd, "steps"> {
  if (reply.kind === "exited")
    return { end: "agent_crashed", error: record("agent_crashed", reply.message, reply.hint) };
  if (phase.timeLeft() <= 0) return outOfTime();
  const message = `the agent did not answer within ${Math.round(timeoutMs / 1000)} s`;
  return { end: "agent_timeout", error: record("agent_timeout", message) };
}

function outOfTime(): Omit<PhaseEnd, "steps"> {
  return {
    end: "agent_timeout",
    error: record("agent_timeout", "the agent's time for the whole task ran out"),
  };
}

function isIdle(idle: number): Omit<PhaseEnd, "steps"> {
  const message = `${idle} answers in a row had neither a command nor task_complete`;
  return { end: "idle", error: record("idle", message) };
}

function record(code: string, message: string, hint: string | null = null): ErrorRecord {
  return { code, message, hint };
}

export function seconds(ms: number): number {
  return Math.round(ms) / 1000;
}
