import { EXIT } from "./exit-codes.js";

/** The first Ctrl-C stops the trials and cleans up; the second exits immediately. */
export function listenForInterrupt(
  /** What the first one does, for the message. */
  what: string,
  /** While this returns true, Ctrl-C is meant for another program. */
  isForwarded: () => boolean = () => false,
  onFirst: () => void = () => {},
): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (name === "SIGINT" && isForwarded()) return;
    // Sandboxes are tied to this process: they end with it.
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort(new Error("interrupted"));
    onFirst();
    process.stderr.write(`\nterm-run: ${what}; press Ctrl-C again to stop immediately\n`);
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
