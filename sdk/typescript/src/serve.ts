import type { Agent } from "./agent.js";
import { GiveUp } from "./give-up.js";
import { log, reasonOf, traceOf } from "./log.js";
import type { Request } from "./request.js";
import { Response } from "./response.js";
import type { Session } from "./session.js";

/**
 * Answers requests until the task is complete or the runner closes the session.
 * False if the agent gave up.
 */
export async function serve(
  agent: Agent,
  session: Session,
  onError: (error: unknown) => void = () => {},
): Promise<boolean> {
  for (;;) {
    const request = await session.next();
    if (request === null) return true;
    const { line, end } = await answer(agent, request, onError);
    const sent = line === null || (await session.send(line));
    if (end === "gave up") return false;
    if (!sent || end === "complete") return true;
  }
}

/** An exception never completes the task: the step is idle, and the runner's limits apply. */
async function answer(
  agent: Agent,
  request: Request,
  onError: (error: unknown) => void,
): Promise<{ line: string | null; end?: "complete" | "gave up" }> {
  try {
    const response = Response.from(await agent.solve(request));
    // Inside the try: data that can't be serialised is the agent's error too.
    const line = response.toLine();
    return response.taskComplete ? { line, end: "complete" } : { line };
  } catch (error) {
    onError(error);
    if (error instanceof GiveUp) return { line: giveUpLine(error), end: "gave up" };
    log(`solve failed at step ${request.step}: ${traceOf(error)}`);
    return { line: Response.say(`solve failed: ${reasonOf(error)}`).toLine() };
  }
}

/** Logs the reason to stderr, which the runner quotes. A step is only sent to report usage. */
function giveUpLine({ message, usage }: GiveUp): string | null {
  log(`gave up: ${message}`);
  return usage && Response.say(`gave up: ${message}`).withUsage(usage).toLine();
}
