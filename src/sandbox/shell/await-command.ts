import { finished } from "node:stream/promises";
import pTimeout from "p-timeout";
import type { CommandResult, ExecOptions, SandboxProcess } from "../../interfaces/index.js";
import { OutputBuffer } from "../output.js";
import { commandResult } from "./command-result.js";
import { spawnInTime } from "./spawn-in-time.js";

/** What a process wrote before it exited may arrive this much later. */
const DRAIN_MS = 500;
/** A killed process that hasn't exited by then is stuck. */
const KILL_DEADLINE_MS = 60_000;
const KILLED = 137;

/** One stream, so that the order of stdout and stderr is kept; bash where there is one. */
const RUN = `exec 2>&1
cd "$2" 2>/dev/null || cd /
if command -v bash >/dev/null 2>&1; then exec bash -c "$1"; else exec sh -c "$1"; fi`;

/** Runs a command line in a folder. */
export function shellCommand(command: string, cwd: string): string[] {
  return ["/bin/sh", "-c", RUN, "sh", command, cwd];
}

interface AwaitOptions extends Pick<ExecOptions, "timeoutMs" | "signal"> {
  cwd: string;
  outputLimitBytes: number;
}

/**
 * Awaits a process of its own. Its output and its exit code are the process's: nothing that it
 * prints can be taken for its end. What it leaves in the background lives on.
 */
export async function awaitCommand(
  spawn: () => Promise<SandboxProcess>,
  { cwd, outputLimitBytes, timeoutMs, signal }: AwaitOptions,
): Promise<CommandResult> {
  const began = performance.now();
  const process = await spawnInTime(spawn, signal);
  process.stdin.end();
  const output = new OutputBuffer(outputLimitBytes);
  for (const stream of [process.stdout, process.stderr])
    stream.on("data", (bytes) => output.push(bytes)).on("error", () => {});
  const end = await awaitExit(process, { timeoutMs, signal });
  await pTimeout(finished(process.stdout), { milliseconds: DRAIN_MS }).catch(() => {});
  const read = output.read();
  // A background job may hold the streams open: nobody reads them any more.
  process.stdout.removeAllListeners("data").resume();
  return commandResult(read, {
    exitCode: end === "timeout" ? 124 : (end ?? KILLED),
    timeoutMs: end === "timeout" ? timeoutMs : null,
    shellRestarted: false,
    durationMs: performance.now() - began,
    cwd,
  });
}

async function awaitExit(
  process: SandboxProcess,
  { timeoutMs, signal }: Pick<ExecOptions, "timeoutMs" | "signal">,
): Promise<number | null | "timeout"> {
  const timeout = AbortSignal.timeout(Math.min(timeoutMs, 2 ** 31 - 1));
  const stop = AbortSignal.any([signal, timeout]);
  const stopped = new Promise<"stopped">((resolve) => {
    if (stop.aborted) resolve("stopped");
    stop.addEventListener("abort", () => resolve("stopped"), { once: true });
  });
  const end = await Promise.race([process.exit, stopped]);
  if (end !== "stopped") return end;
  process.kill();
  await pTimeout(process.exit, {
    milliseconds: KILL_DEADLINE_MS,
    message: `a command in the sandbox couldn't be killed within ${KILL_DEADLINE_MS / 1000} s`,
  });
  signal.throwIfAborted();
  return "timeout";
}
