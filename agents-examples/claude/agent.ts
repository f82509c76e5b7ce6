// An agent that lets Claude work in the terminal. It needs the package @anthropic-ai/sdk and a key:
//
//   term-run tasks/ --agent agents-examples/claude --env ANTHROPIC_API_KEY
//
// Another model: TERM_MODEL=claude-opus-5-5 term-run … More settings are in docs/llm.md.
import { run } from "term-sdk";
import { llmAgent } from "term-sdk/harness";
import { claude } from "term-sdk/llm";

const agent = llmAgent({
  model: claude(),
  // Room for a whole file in one command, and for the thinking before it.
  maxTokens: 16_000,
  handler: {
    // stderr is kept beside the trial's other logs.
    status({ state, message }) {
      if (state === "retrying") console.error(`[agent] ${message}`);
    },
  },
});

await run(agent);
