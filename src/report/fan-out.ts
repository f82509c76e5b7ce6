import type { Reporter } from "../interfaces/index.js";

/** Combines reporters into one; when one throws, the others still get every event. */
export function fanOut(
  reporters: readonly Reporter[],
  /** Called with the first failure of each reporter. */
  onFailure: (error: unknown, reporter: Reporter) => void,
): Reporter {
  const failed = new Set<Reporter>();

  function fail(error: unknown, reporter: Reporter): void {
    if (failed.has(reporter)) return;
    failed.add(reporter);
    onFailure(error, reporter);
  }

  return {
    event(event) {
      for (const reporter of reporters) {
        try {
          reporter.event(event);
        } catch (error) {
          fail(error, reporter);
        }
      }
    },
    async close() {
      await Promise.all(reporters.map((reporter) => closeReporter(reporter, fail)));
    },
  };
}

async function closeReporter(
  reporter: Reporter,
  fail: (error: unknown, reporter: Reporter) => void,
): Promise<void> {
  try {
    await reporter.close?.();
  } catch (error) {
    fail(error, reporter);
  }
}
