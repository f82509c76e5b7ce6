import { type Agent, type Solve, toAgent } from "./agent.js";
import { host } from "./host.js";
import { log, traceOf } from "./log.js";
import { serve } from "./serve.js";

/** Runs an agent over stdin and stdout. Resolves once it has finished and cleaned up. */
export async function run(agentOrSolve: Agent | Solve): Promise<void> {
  const agent = toAgent(agentOrSolve);
  await host({
    async work(session) {
      try {
        await agent.setup?.();
      } catch (error) {
        // The agent can't answer without setup. The runner sees the exit code and this line.
        log(`setup failed: ${traceOf(error)}`);
        return false;
      }
      return serve(agent, session);
    },
    cleanup: () => agent.cleanup?.(),
  });
}
