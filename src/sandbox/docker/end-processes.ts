import type Docker from "dockerode";
import pTimeout from "p-timeout";
import type { RunningProcess } from "../../interfaces/index.js";
import { MARKER_VARIABLE } from "../../process/index.js";
import { initCommands } from "../native/init.js";
import { startExec } from "./exec.js";

export const ROOT = "0";
/** An engine that takes longer is stuck. */
const KILL_DEADLINE_MS = 60_000;

interface Target {
  container: Docker.Container;
  /** Where term-run's own program is in it. */
  init: string;
}

/** Kills everything in a container except process 1 and those to keep, and waits until it is gone. */
export async function endAllProcesses(
  target: Target,
  pidsLimit: number,
  keep: readonly RunningProcess[] = [],
): Promise<void> {
  const argv = initCommands.end(
    target.init,
    keep.map(({ pid }) => pid),
  );
  const allow = (limit: number) => target.container.update({ PidsLimit: limit });
  try {
    await runInit(target, argv);
  } catch (error) {
    // Nothing can be started where the agent used up all processes: make room for one more.
    await allow(2 * pidsLimit).catch(() => Promise.reject(error));
    await runInit(target, argv);
    await allow(pidsLimit);
  }
}

/** Kills the processes that inherited a marker. */
export function endMarkedProcesses(target: Target, marker: string): Promise<void> {
  return runInit(target, initCommands.kill(target.init, `${MARKER_VARIABLE}=${marker}`));
}

/** Makes an address the only resolver in a container. */
export function setResolver(target: Target, address: string): Promise<void> {
  return runInit(target, initCommands.resolve(target.init, address));
}

async function runInit({ container }: Target, argv: string[]): Promise<void> {
  const plan = { argv, user: ROOT, cwd: "/", env: {}, tty: undefined };
  const process = await startExec(container, plan);
  let output = "";
  process.stdout.on("data", (bytes) => {
    output += bytes;
  });
  process.stderr.resume();
  const code = await pTimeout(process.exit, {
    milliseconds: KILL_DEADLINE_MS,
    message: `the processes of the container didn't end within ${KILL_DEADLINE_MS / 1000} s`,
  }).catch((error) => {
    // An open stream would keep this process from exiting.
    process.kill();
    throw error;
  });
  if (code !== 0) throw new Error(`the container's processes can't be ended: ${output}`);
}
