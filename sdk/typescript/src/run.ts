import { type Agent, type Solve, toAgent } from "./agent.js";
import { host } from "./host.js";
import { log, traceOf } from "./log.js";
import { serve } from "./serve.js";

/** Runs an agent over stdin and stdout. Resolves when it is over and cleaned up. */
export async function run(agentOrSolve: Agent | Solve): Promise<void> {
  const agent = toAgent(agentOrSolve);
  await host({
    async work(session) {
      try {
        await agent.setup?.();
      } catch (error) {
        // Without its setup an agent can't answer; the runner sees the exit code and this line.
        log(`setup failed: ${traceOf(error)}`);
        return false;
      }
      return serve(agent, session);
    },
    cleanup: () => agent.cleanup?.(),
  });
}
