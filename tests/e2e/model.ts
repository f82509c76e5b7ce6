import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  ModelServer,
  type ReceivedRequest,
} from "../../sdk/typescript/tests/llm/support/model-server.js";
import type { Answer, Turn } from "../../sdk/typescript/tests/llm/support/turn.js";
import { makePlace, type Place, TASKS } from "./cli.js";

/** How many turns the scripted model takes for a task. */
export const TURNS = 3;
const USAGE = { input: 100, output: 10, cacheRead: 50 };
/** In dollars, at a price of $2 and $10 for a million tokens, cached or not. */
export const COST_OF_TURN = (150 * 2 + 10 * 10) / 1e6;

/** A model that looks around, does what the task's own solution does, and finishes. */
export function solver(tasks: readonly string[]): (request: ReceivedRequest) => Answer {
  const known = tasks.map((task) => ({
    instruction: readFileSync(join(TASKS, task, "instruction.md"), "utf8").trim(),
    solution: readFileSync(join(TASKS, task, "solution/solve.sh"), "utf8"),
  }));
  return ({ body }) => {
    const messages: { role: string; content: unknown }[] = body.messages;
    const first = textOf(messages.find(({ role }) => role === "user")?.content);
    const task = known.find(({ instruction }) => first.includes(instruction));
    if (!task) throw new Error(`no such instruction: ${first}`);
    const turn = messages.filter(({ role }) => role === "assistant").length;
    return { ...turns(task.solution)[turn], usage: USAGE };
  };
}

function turns(solution: string): Answer[] {
  const shell = (command: string) => ({ toolCalls: [{ name: "shell", arguments: { command } }] });
  return [
    { thinking: "What is there?", text: "I look around.", ...shell("ls -la") },
    { text: "Now I do it.", ...shell(`(\n${solution})`) },
    { toolCalls: [{ name: "finish", arguments: { summary: "It is done." } }] },
  ];
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return (content as { text?: string }[]).map(({ text }) => text ?? "").join("\n");
}

/** A place whose agents use the server. */
export async function placeWithModel(
  script: (request: ReceivedRequest) => Turn,
): Promise<{ place: Place; server: ModelServer }> {
  const server = await ModelServer.start(script);
  onTestFinished(() => server.close());
  const place = makePlace();
  Object.assign(place.env, {
    ANTHROPIC_BASE_URL: server.url,
    OPENAI_BASE_URL: server.openaiUrl,
    ANTHROPIC_API_KEY: "key-of-the-test",
    OPENAI_API_KEY: "key-of-the-test",
    TERM_MODEL: "scripted-model",
    TERM_MODEL_PRICE: '{"input": 2, "output": 10}',
  });
  return { place, server };
}
