import type { Request } from "../request.js";
import type { Response } from "../response.js";

/** Where the runner, who asks, and the harness, who asks as well, take turns. */
export class Meeting {
  #runner: {
    resolve(response: Response): void;
    reject(error: unknown): void;
  } | null = null;
  #harness: ((request: Request) => void) | null = null;
  #failure: { error: unknown } | null = null;

  /** The runner's side: brings a request and waits for its answer. */
  request(request: Request): Promise<Response> {
    if (this.#failure) return Promise.reject(this.#failure.error);
    return new Promise((resolve, reject) => {
      this.#runner = { resolve, reject };
      this.#harness?.(request);
      this.#harness = null;
    });
  }

  /** The harness's side: brings an answer and waits for the next request. */
  answer(response: Response): Promise<Request> {
    return new Promise((resolve) => {
      this.#harness = resolve;
      this.#runner?.resolve(response);
      this.#runner = null;
    });
  }

  /** There will be no answer, neither to the request that waits nor to a later one. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#runner?.reject(error);
    this.#runner = null;
  }
}
