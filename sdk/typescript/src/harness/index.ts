export { Harness } from "./harness.js";
export { type LlmAgentOptions, llmAgent } from "./llm-agent.js";
export type { Handler, HarnessConfig, HarnessEvents, PromptEnd, Status } from "./types.js";
