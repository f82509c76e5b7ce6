import pTimeout from "p-timeout";
import type { SandboxProcess } from "../../interfaces/index.js";

const DEADLINE_MS = 60_000;

/** A process that starts too late, or after an abort, is killed immediately. */
export async function spawnInTime(
  spawn: () => Promise<SandboxProcess>,
  signal: AbortSignal,
): Promise<SandboxProcess> {
  signal.throwIfAborted();
  const starting = spawn();
  try {
    return await pTimeout(starting, {
      milliseconds: DEADLINE_MS,
      message: `no process could be started within ${DEADLINE_MS / 1000} s`,
      signal,
    });
  } catch (error) {
    starting.then(
      (late) => late.kill(),
      () => {},
    );
    throw error;
  }
}
