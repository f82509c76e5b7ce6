interface UntilOptions {
  /** What is waited for: the error names it. */
  what: string;
  timeoutMs?: number;
}

const POLL_MS = 25;

/** Polls a condition and returns what it came to. The deadline only guards against a hang. */
export async function until<T>(
  condition: () => T | Promise<T>,
  { what, timeoutMs = 30_000 }: UntilOptions,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const met = await condition();
    if (met) return met;
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
