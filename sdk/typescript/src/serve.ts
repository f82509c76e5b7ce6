import type { Agent } from "./agent.js";
import { log, reasonOf, traceOf } from "./log.js";
import type { Request } from "./request.js";
import { Response } from "./response.js";
import type { Session } from "./session.js";

/** Answers requests until the task is complete or the runner closes the session. */
export async function serve(
  agent: Agent,
  session: Session,
  onError: (error: unknown) => void = () => {},
): Promise<void> {
  for (;;) {
    const request = await session.next();
    if (request === null) return;
    const { line, last } = await answer(agent, request, onError);
    if (!(await session.send(line)) || last) return;
  }
}

/** An exception is never completion: the step is idle, and the runner's limits apply. */
async function answer(agent: Agent, request: Request, onError: (error: unknown) => void) {
  try {
    const response = Response.from(await agent.solve(request));
    // Written inside the try: data that JSON can't hold is the agent's mistake as well.
    return { line: response.toLine(), last: response.taskComplete };
  } catch (error) {
    onError(error);
    log(`solve failed at step ${request.step}: ${traceOf(error)}`);
    return { line: Response.say(`solve failed: ${reasonOf(error)}`).toLine(), last: false };
  }
}
