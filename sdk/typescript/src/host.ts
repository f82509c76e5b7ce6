import { constants } from "node:os";
import { log, traceOf } from "./log.js";
import { Session } from "./session.js";
import { openStdio } from "./stdio.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Less than the runner's 5 s between SIGTERM and SIGKILL. */
const CLEANUP_ON_SIGNAL_MS = 4000;
/** How long leftover timers and sockets may keep a finished agent alive. */
const LINGER_MS = 3000;

export interface HostedAgent {
  /** Runs until the session ends. Resolves to false for exit code 1. */
  work(session: Session): Promise<boolean>;
  cleanup(): void | Promise<void>;
}

/** Runs an agent as this process: stdio, signals, cleanup and exit. */
export async function host(agent: HostedAgent): Promise<void> {
  const stdio = openStdio();
  const session = new Session(stdio);
  const cleanup = once(() => agent.cleanup());
  const releaseSignals = onSignals(async (exitCode) => {
    process.exitCode = exitCode;
    session.close();
    await Promise.race([cleanup(), delay(CLEANUP_ON_SIGNAL_MS)]);
    process.exit(exitCode);
  });
  try {
    if (!(await agent.work(session))) process.exitCode ??= 1;
  } finally {
    await cleanup();
    releaseSignals();
    stdio.close();
    exitSoon();
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

/** The timer is unref'd, so it only fires if something else keeps the process alive. */
function exitSoon(): void {
  setTimeout(() => {
    log("the agent has finished but something (a timer, a socket?) keeps it alive; exiting");
    process.exit();
  }, LINGER_MS).unref();
}
