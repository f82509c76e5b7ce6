import type { Request } from "./request.js";
import type { Response } from "./response.js";

/** Extend it, implement it, or pass an object of this shape. Only `solve` is required. */
export abstract class Agent {
  /** Called once, before the first request is read. */
  setup?(): void | Promise<void>;

  /** Returns one response per request. State between steps is up to the agent. */
  abstract solve(request: Request): Response | Promise<Response>;

  /** Called once: after completion, when the runner closes stdin, or on a signal. */
  cleanup?(): void | Promise<void>;
}

export type Solve = (request: Request) => Response | Promise<Response>;

export function toAgent(agent: Agent | Solve): Agent {
  return typeof agent === "function" ? { solve: agent } : agent;
}
