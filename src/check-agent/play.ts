import type { AgentCommand } from "../agent/resolve.js";
import type { StepRequest } from "../protocol/types.js";
import { AgentProcess } from "./agent-process.js";
import type { Scenario } from "./scenarios.js";
import { CWD, NOTHING } from "./terminal.js";
import type { Answer, SessionRecord, Shown, Turn } from "./types.js";

/** Time for an agent to say more than it should, where nobody can tell that it waits. */
const FIRST_SETTLE_MS = 5_000;
const SETTLE_MS = 1_000;
const SHORT_SETTLE_MS = 200;
const MAX_INVALID = 3;
const ON_PURPOSE = "this is a test of the second chance by check-agent: answer this step again";

export interface Stage {
  command: AgentCommand;
  env: Record<string, string>;
  instruction: string;
  timeoutMs: number;
  /** Time to exit after stdin was closed. */
  cleanupMs: number;
  signal: AbortSignal;
}

/** Plays a scenario with a fresh process of the agent, and writes down what it does. */
export async function play(scenario: Scenario, stage: Stage): Promise<SessionRecord> {
  const agent = new AgentProcess(stage.command, stage.env, stage.signal);
  try {
    await agent.settle(scenario.id === "plain" ? FIRST_SETTLE_MS : SHORT_SETTLE_MS);
    const early = agent.mailbox.takeAll();
    const turns: Turn[] = [];
    const completed = await converse(scenario, stage, agent, turns);
    const before = completed ? [] : agent.mailbox.takeAll();
    turns.at(-1)?.extra.push(...before);
    const end = await agent.close(stage.cleanupMs);
    const late = agent.mailbox.takeAll();
    return {
      scenario: scenario.id,
      early,
      turns,
      completed,
      late,
      slips: agent.mailbox.slips,
      ...end,
      stderr: agent.stderr,
    };
  } finally {
    await agent.kill();
  }
}

async function converse(
  scenario: Scenario,
  stage: Stage,
  agent: AgentProcess,
  turns: Turn[],
): Promise<boolean> {
  const instruction = stage.instruction + (scenario.addition ?? "");
  let shown: Shown = NOTHING;
  for (let step = 1; step <= scenario.maxSteps; step++) {
    const request: StepRequest = { instruction, step, ...shown, cwd: CWD };
    let answer = await askPatiently(agent, stage, request, turns);
    // Whoever completed may be gone already.
    const again =
      scenario.askAgain?.includes(step) &&
      answer.kind === "response" &&
      !answer.response.task_complete;
    if (again) answer = await ask(agent, stage, { ...request, error: ON_PURPOSE }, turns);
    if (answer.kind !== "response") return false;
    if (answer.response.task_complete) return true;
    const command = answer.response.command ?? "";
    shown = command.trim() === "" ? NOTHING : scenario.show(command, step);
  }
  return false;
}

/** As the runner does: an invalid answer gets its second chance. */
async function askPatiently(
  agent: AgentProcess,
  stage: Stage,
  request: StepRequest,
  turns: Turn[],
): Promise<Answer> {
  let answer = await ask(agent, stage, request, turns);
  for (let tries = 1; answer.kind === "invalid" && tries < MAX_INVALID; tries++)
    answer = await ask(agent, stage, { ...request, error: answer.problem }, turns);
  return answer;
}

async function ask(
  agent: AgentProcess,
  stage: Stage,
  request: StepRequest,
  turns: Turn[],
): Promise<Answer> {
  const asked = performance.now();
  agent.send(request);
  const answer = await agent.answer(stage.timeoutMs);
  const turn: Turn = { request, answer, ms: performance.now() - asked, extra: [] };
  turns.push(turn);
  if (answer.kind === "response" || answer.kind === "invalid") {
    await agent.settle(turns.length <= 2 ? SETTLE_MS : SHORT_SETTLE_MS);
    turn.extra = agent.mailbox.takeAll();
  }
  return answer;
}
