import { type LlmAgentOptions, llmAgent } from "../../../src/harness/index.js";
import type { ProviderConfig } from "../../../src/llm/index.js";
import { drive, type Reply, scripted } from "../../../src/testing/index.js";
import type { ModelServer, Script } from "../../llm/support/model-server.js";
import { call, scriptedClaude } from "./model.js";

export const shell = (command: string) => call(["shell", { command }]);
export const FINISH = call(["finish", {}]);

interface Play {
  script: Script;
  replies?: Reply[];
  options?: Partial<LlmAgentOptions>;
  config?: ProviderConfig;
  maxSteps?: number;
}

/** A whole trial of the agent, with the runner's side of the protocol. */
export async function play({ script, replies = [], options, config, maxSteps = 100 }: Play) {
  const { server, model } = await scriptedClaude(script, config);
  const agent = llmAgent({ model, ...options });
  const trial = await drive(agent, { shell: scripted(replies), instruction: "Do it.", maxSteps });
  const answers = trial.steps.map(({ response }) => response.toJSON());
  return { server, trial, answers };
}

/** What the model got as results of the calls in its last turn. */
export function lastResults(server: ModelServer, request: number) {
  const { content } = server.requests[request - 1]?.body.messages.at(-1) ?? {};
  return content.map((block: { content: unknown; is_error?: boolean }) => {
    const text = typeof block.content === "string" ? block.content : JSON.stringify(block.content);
    return block.is_error ? `error: ${text}` : text;
  });
}
