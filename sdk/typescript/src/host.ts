import { constants } from "node:os";
import { log, traceOf } from "./log.js";
import { Session } from "./session.js";
import { openStdio } from "./stdio.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Less than the 5 s a runner leaves between SIGTERM and SIGKILL. */
const CLEANUP_ON_SIGNAL_MS = 4000;
/** How long forgotten timers and sockets may keep a finished agent alive. */
const LINGER_MS = 3000;

export interface Guest {
  /** Works until the session is over. False makes the exit code 1. */
  work(session: Session): Promise<boolean>;
  cleanup(): void | Promise<void>;
}

/** Runs a guest as this process's agent: stdio, signals, cleanup, and an end. */
export async function host(guest: Guest): Promise<void> {
  const stdio = openStdio();
  const session = new Session(stdio);
  const cleanup = once(() => guest.cleanup());
  const releaseSignals = onSignals(async (exitCode) => {
    process.exitCode = exitCode;
    session.close();
    await Promise.race([cleanup(), delay(CLEANUP_ON_SIGNAL_MS)]);
    process.exit(exitCode);
  });
  try {
    if (!(await guest.work(session))) process.exitCode ??= 1;
  } finally {
    await cleanup();
    releaseSignals();
    stdio.close();
    endSoon();
  }
}

function once(action: () => void | Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  const attempt = async () => {
    try {
      await action();
    } catch (error) {
      log(`cleanup failed: ${traceOf(error)}`);
    }
  };
  return () => {
    result ??= attempt();
    return result;
  };
}

function onSignals(stop: (exitCode: number) => void): () => void {
  const listeners = SIGNALS.map((signal) => {
    const listener = () => stop(128 + constants.signals[signal]);
    process.once(signal, listener);
    return () => process.removeListener(signal, listener);
  });
  return () => {
    for (const remove of listeners) remove();
  };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The timer itself doesn't keep the process alive, so this only acts when something else does. */
function endSoon(): void {
  setTimeout(() => {
    log("something keeps the finished agent alive (a timer, a socket?); ending it");
    process.exit();
  }, LINGER_MS).unref();
}
