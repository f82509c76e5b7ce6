import { EXIT } from "./exit-codes.js";

/** The first Ctrl-C ends the trials and cleans up; the second ends everything at once. */
export function listenForInterrupt(
  /** What the first one begins, for the person. */
  what: string,
  /** While it says so, Ctrl-C is meant for somebody else. */
  isOthers: () => boolean = () => false,
  onFirst: () => void = () => {},
): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (name === "SIGINT" && isOthers()) return;
    // Sandboxes are tied to this process: they go with it.
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort(new Error("interrupted"));
    onFirst();
    process.stderr.write(`\nterm-run: ${what}; press Ctrl-C again to stop at once\n`);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of signals) process.on(name, onSignal);
  return {
    signal: controller.signal,
    stop: () => {
      for (const name of signals) process.off(name, onSignal);
    },
  };
}
