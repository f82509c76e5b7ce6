import type { Request } from "../request.js";
import type { Response } from "../response.js";

/** Hands requests from the runner to the harness, and responses back, one at a time. */
export class StepExchange {
  #runner: {
    resolve(response: Response): void;
    reject(error: unknown): void;
  } | null = null;
  #harness: ((request: Request) => void) | null = null;
  #failure: { error: unknown } | null = null;

  /** The runner's side: passes a request on and waits for the response. */
  request(request: Request): Promise<Response> {
    if (this.#failure) return Promise.reject(this.#failure.error);
    return new Promise((resolve, reject) => {
      this.#runner = { resolve, reject };
      this.#harness?.(request);
      this.#harness = null;
    });
  }

  /** The harness's side: passes a response on and waits for the next request. */
  respond(response: Response): Promise<Request> {
    return new Promise((resolve) => {
      this.#harness = resolve;
      this.#runner?.resolve(response);
      this.#runner = null;
    });
  }

  /** Rejects the pending request and all later ones. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#runner?.reject(error);
    this.#runner = null;
  }
}
