import type { Mark } from "./marks.js";

/** Lets the shell's owner wait for marks. The end of the driver is told as null. */
export class MarkFeed {
  readonly #waiters = new Set<(mark: Mark | null) => void>();

  tell(mark: Mark | null): void {
    for (const waiter of [...this.#waiters]) waiter(mark);
  }

  /** Resolves with the first mark that is wanted, or with "timeout"; rejects when aborted. */
  wait(
    wanted: (mark: Mark | null) => boolean,
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<Mark | null | "timeout"> {
    return new Promise((resolve, reject) => {
      const finish = () => {
        clearTimeout(timer);
        options.signal?.removeEventListener("abort", onAbort);
        this.#waiters.delete(waiter);
      };
      const waiter = (mark: Mark | null) => {
        if (!wanted(mark)) return;
        finish();
        resolve(mark);
      };
      const onAbort = () => {
        finish();
        reject(options.signal?.reason);
      };
      const timer = setTimeout(() => {
        finish();
        resolve("timeout");
      }, options.timeoutMs);
      options.signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiters.add(waiter);
    });
  }
}
