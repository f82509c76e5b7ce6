// Any model behind an OpenAI-compatible API. It needs the package openai, and a model's name:
//
//   TERM_MODEL=gpt-5.5 term-run tasks/ --agent agents-examples/openai-compatible --env OPENAI_API_KEY
//
// A server of your own, here Ollama, needs no key:
//
//   export OPENAI_BASE_URL=http://localhost:11434/v1 TERM_MODEL=qwen3-coder
//   export TERM_MODEL_CONTEXT_TOKENS=32768 TERM_MODEL_STALL_TIMEOUT_SEC=300
//   term-run tasks/ --agent agents-examples/openai-compatible
//
// To have the cost counted, set the price: TERM_MODEL_PRICE='{"input": 1.5, "output": 6}'.
import { run } from "term-sdk";
import { llmAgent } from "term-sdk/harness";
import { openaiCompatible } from "term-sdk/llm";

const agent = llmAgent({
  model: openaiCompatible(),
  handler: {
    // stderr is kept beside the trial's other logs.
    status({ state, message }) {
      if (state === "retrying") console.error(`[agent] ${message}`);
    },
  },
});

await run(agent);
