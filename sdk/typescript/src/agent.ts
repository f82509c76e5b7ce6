import type { Request } from "./request.js";
import type { Response } from "./response.js";

/** Extend it, implement it, or pass an object of this shape: only `solve` is needed. */
export abstract class Agent {
  /** Called once, before the first request is read. */
  setup?(): void | Promise<void>;

  /** One request, one answer. What the agent remembers between steps is its own affair. */
  abstract solve(request: Request): Response | Promise<Response>;

  /** Called once: after completion, when the runner closes stdin, or on a signal. */
  cleanup?(): void | Promise<void>;
}

export type Solve = (request: Request) => Response | Promise<Response>;

export function toAgent(agent: Agent | Solve): Agent {
  return typeof agent === "function" ? { solve: agent } : agent;
}
