import { constants } from "node:os";
import { execa } from "execa";

const endSignals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

// One Ctrl-C comes twice under npm: from the terminal, and again from npm itself.
const sameKeyPressMs = 300;

/** An interrupted set-up ends with this as the abort reason. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`ended by ${signal}`);
    this.exitCode = signalExitCode(signal);
  }
}

/**
 * Aborts on the first Ctrl-C, so that `finally` blocks run before the script ends.
 * `release` gives the signals back.
 */
export function abortOnSignals() {
  const controller = new AbortController();
  const release = onSignals(endSignals, (signal) => controller.abort(new Interrupted(signal)));
  return { signal: controller.signal, release };
}

/**
 * Runs a program on this terminal and returns its exit code. The program is in a process group of
 * its own and gets each signal from here, so a Ctrl-C reaches it once; we end after it.
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 */
export async function runInForeground(file, args, options) {
  const child = execa(file, args, {
    ...options,
    stdio: "inherit",
    preferLocal: true,
    detached: true,
    reject: false,
    // It may need long to clean up; only a second Ctrl-C should hurry it.
    forceKillAfterDelay: false,
  });
  const release = onSignals([...endSignals, "SIGWINCH"], (signal) => child.kill(signal));
  const result = await child.finally(release);
  if (result.signal) return signalExitCode(result.signal);
  if (result.exitCode === undefined) throw result;
  return result.exitCode;
}

/**
 * @param {readonly NodeJS.Signals[]} signals
 * @param {(signal: NodeJS.Signals) => void} handle
 */
function onSignals(signals, handle) {
  /** @type {Map<NodeJS.Signals, number>} */
  const lastSeen = new Map();
  /** @param {NodeJS.Signals} signal */
  const listener = (signal) => {
    const now = performance.now();
    const repeated = now - (lastSeen.get(signal) ?? Number.NEGATIVE_INFINITY) < sameKeyPressMs;
    lastSeen.set(signal, now);
    if (signal === "SIGWINCH" || !repeated) handle(signal);
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** What a shell reports for a process that a signal ended. @param {NodeJS.Signals} signal */
function signalExitCode(signal) {
  return 128 + constants.signals[signal];
}
