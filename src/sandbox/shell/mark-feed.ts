import type { Mark } from "./marks.js";

/** Lets the shell's owner wait for marks; null means the end of the driver. */
export class MarkFeed {
  readonly #waiters = new Set<(mark: Mark | null) => void>();

  publish(mark: Mark | null): void {
    for (const waiter of [...this.#waiters]) waiter(mark);
  }

  /** Resolves with the first mark that is wanted, or with "timeout"; rejects when aborted. */
  wait(
    wanted: (mark: Mark | null) => boolean,
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<Mark | null | "timeout"> {
    return new Promise((resolve, reject) => {
      // An earlier abort is not announced again.
      if (signal?.aborted) return reject(signal.reason);
      const finish = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        this.#waiters.delete(waiter);
      };
      const waiter = (mark: Mark | null) => {
        if (!wanted(mark)) return;
        finish();
        resolve(mark);
      };
      const onAbort = () => {
        finish();
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        finish();
        resolve("timeout");
      }, timeoutMs);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiters.add(waiter);
    });
  }
}
