import type { StepRequest } from "../protocol/index.js";
import { ObservedAgent } from "./observed-agent.js";
import type { Scenario } from "./scenarios.js";
import { CWD, NOTHING } from "./terminal.js";
import type { Answer, Exchange, SessionRecord, Setup, Shown } from "./types.js";

/** Time for an agent to write more than it should, where it can't be seen that it waits. */
const FIRST_SETTLE_MS = 5_000;
const SETTLE_MS = 1_000;
const SHORT_SETTLE_MS = 200;
const MAX_INVALID = 3;
const ON_PURPOSE = "this is a test of the second chance by check-agent: answer this step again";

/** Has one conversation with a fresh process of the agent, and records what it does. */
export async function runScenario(scenario: Scenario, setup: Setup): Promise<SessionRecord> {
  const agent = new ObservedAgent(setup);
  try {
    await agent.settle(scenario.id === "plain" ? FIRST_SETTLE_MS : SHORT_SETTLE_MS);
    const early = agent.takeUnrequested();
    const exchanges: Exchange[] = [];
    const completed = await converse(scenario, setup, agent, exchanges);
    if (!completed) exchanges.at(-1)?.extra.push(...agent.takeUnrequested());
    const end = await agent.close(setup.cleanupMs);
    const late = agent.takeUnrequested();
    const { formatProblems, stderr } = agent;
    return {
      scenario: scenario.id,
      early,
      exchanges,
      completed,
      late,
      formatProblems,
      ...end,
      stderr,
    };
  } finally {
    await agent.end();
  }
}

/** Adds every exchange to the list; true when the agent completed. */
async function converse(
  scenario: Scenario,
  setup: Setup,
  agent: ObservedAgent,
  exchanges: Exchange[],
): Promise<boolean> {
  const instruction = setup.instruction + (scenario.addition ?? "");
  const ask = async (request: StepRequest) => {
    const exchange = await exchangeWith(agent, request, setup.timeoutMs, exchanges.length);
    exchanges.push(exchange);
    return exchange.answer;
  };
  let shown: Shown = NOTHING;
  for (let step = 1; step <= scenario.maxSteps; step++) {
    const request: StepRequest = { instruction, step, ...shown, cwd: CWD };
    let answer = await askUntilValid(ask, request);
    if (scenario.askAgain?.includes(step) && isCommand(answer))
      answer = await ask({ ...request, error: ON_PURPOSE });
    if (answer.kind !== "response") return false;
    if (answer.response.task_complete) return true;
    const command = answer.response.command ?? "";
    shown = command.trim() === "" ? NOTHING : scenario.show(command, step);
  }
  return false;
}

/** An agent that completed may have exited already, and can't be asked again. */
function isCommand(answer: Answer): boolean {
  return answer.kind === "response" && !answer.response.task_complete;
}

/** As the runner does: an invalid answer gets another chance. */
async function askUntilValid(
  ask: (request: StepRequest) => Promise<Answer>,
  request: StepRequest,
): Promise<Answer> {
  let answer = await ask(request);
  for (let tries = 1; answer.kind === "invalid" && tries < MAX_INVALID; tries++)
    answer = await ask({ ...request, error: answer.problem });
  return answer;
}

async function exchangeWith(
  agent: ObservedAgent,
  request: StepRequest,
  timeoutMs: number,
  before: number,
): Promise<Exchange> {
  const asked = performance.now();
  agent.send(request);
  const answer = await agent.answer(timeoutMs);
  const ms = performance.now() - asked;
  if (answer.kind !== "response" && answer.kind !== "invalid")
    return { request, answer, ms, extra: [] };
  await agent.settle(before < 2 ? SETTLE_MS : SHORT_SETTLE_MS);
  return { request, answer, ms, extra: agent.takeUnrequested() };
}
