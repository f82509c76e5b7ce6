import type { AgentEnd } from "../../events/index.js";
import type { Turn } from "../../interfaces/index.js";
import type { LegacyCommand, StepRequest, StepResponse } from "../../protocol/index.js";
import { logResponse } from "../log-response.js";
import type { Ending } from "../work-end.js";
import { WorkStopped } from "../work-stopped.js";
import type { AgentProcess } from "./process.js";

const RAW_SHOWN = 2_000;

type Shown = Pick<StepRequest, "last_command" | "output" | "exit_code">;
const NOTHING: Shown = { last_command: null, output: null, exit_code: null };

/** The step loop: ask, run the command in the answer, ask again, until something ends it. */
export async function runSteps(
  agent: AgentProcess,
  instruction: string,
  turn: Turn,
): Promise<Ending> {
  const { terminal, limits } = turn;
  let shown = NOTHING;
  for (let idle = 0; ; ) {
    const step = terminal.beginStep();
    const request = { instruction, step, ...shown, cwd: terminal.cwd };
    const asked = await askUntilValid(agent, request, turn);
    if ("end" in asked) return asked;
    const { command, task_complete } = asked.response;
    const hasCommand = command !== null && command.trim() !== "";
    shown = hasCommand ? await runCommand(turn, command) : NOTHING;
    if (task_complete) return { end: "completed", error: null };
    if (turn.timeLeft() <= 0) throw WorkStopped.byTime();
    idle = hasCommand ? 0 : idle + 1;
    if (idle >= limits.maxIdle)
      return ended("idle", `${idle} answers in a row had neither a command nor task_complete`);
  }
}

/** An invalid answer gets another chance, with the reason; too many in a row end the work. */
async function askUntilValid(
  agent: AgentProcess,
  request: StepRequest,
  turn: Turn,
): Promise<{ response: StepResponse } | Ending> {
  const { limits, emit, signal } = turn;
  const { step, cwd } = request;
  let question = request;
  for (let invalid = 1; ; invalid++) {
    const timeoutMs = Math.min(limits.stepTimeoutSec * 1000, turn.timeLeft());
    const asked = performance.now();
    agent.send(question);
    const answer = await agent.answer({ timeoutMs, signal });
    if (answer.kind === "response") {
      const { response } = answer;
      logResponse(turn, response, performance.now() - asked);
      if (response.legacy?.length) emit({ type: "note", text: describeLegacy(response.legacy) });
      return { response };
    }
    if (answer.kind === "exited") return ended("agent_crashed", describeCrash(agent, answer.how));
    if (answer.kind === "timeout") {
      if (turn.timeLeft() <= 0) throw WorkStopped.byTime();
      const seconds = Math.round(timeoutMs / 1000);
      return ended("agent_timeout", `the agent did not answer within ${seconds} s`);
    }
    const { problem } = answer;
    const raw = answer.raw.slice(0, RAW_SHOWN);
    emit({ type: "response_invalid", step, problem, raw, in_a_row: invalid });
    if (invalid >= limits.maxInvalid)
      return ended("invalid_output", describeInvalid(invalid, problem));
    emit({ type: "step_started", step, cwd, error: problem });
    question = { ...request, error: problem };
  }
}

async function runCommand({ terminal }: Turn, command: string): Promise<Shown> {
  const { output, exitCode } = await terminal.run(command);
  return { last_command: command, output, exit_code: exitCode };
}

function describeLegacy(commands: LegacyCommand[]): string {
  const keys = commands.length === 1 ? "keystrokes" : `${commands.length} sets of keystrokes`;
  return `legacy answer: its ${keys} run as shell lines, in order`;
}

function describeCrash(agent: AgentProcess, how: string): string {
  const last = agent.stderr === "" ? "" : `; the end of its stderr:\n${agent.stderr}`;
  return `the agent ${how} before it completed the task${last}`;
}

function describeInvalid(count: number, problem: string): string {
  return count === 1
    ? `an invalid answer: ${problem}`
    : `${count} invalid answers in a row; the last: ${problem}`;
}

function ended(end: AgentEnd, message: string): Ending {
  return { end, error: { code: end, message, hint: null } };
}
