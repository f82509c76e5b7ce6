import type { Agent, AgentContext, Turn, WorkEnd } from "../../interfaces/index.js";

type Work = (instruction: string, turn: Turn, context: AgentContext) => Promise<WorkEnd>;

/** An agent without a process: only a function that works on an instruction. */
export function createAgent(
  name: string,
  work: Work,
  more: Pick<Agent, "unsupported"> = {},
): Agent {
  return {
    name,
    ...more,
    open: async (context) => ({
      work: (instruction, turn) => work(instruction, turn, context),
      close: async () => {},
    }),
  };
}
