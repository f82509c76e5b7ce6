import type Docker from "dockerode";
import pTimeout from "p-timeout";
import type { RunningProcess } from "../../interfaces/index.js";
import { MARKER_VARIABLE } from "../../process/index.js";
import { endOthers } from "../shell/end-others.js";
import { startExec } from "./exec.js";

export const ROOT = "0";
/** An engine that takes longer is stuck. */
const KILL_DEADLINE_MS = 60_000;

/** Kills everything in a container except process 1 and those to keep. */
export async function endAllProcesses(
  container: Docker.Container,
  pidsLimit: number,
  keep: readonly RunningProcess[] = [],
): Promise<void> {
  const script = keep.length === 0 ? "kill -9 -1" : endOthers(keep.map(({ pid }) => pid));
  const kill = () => runScript(container, ROOT, script);
  const allow = (limit: number) => container.update({ PidsLimit: limit });
  try {
    await kill();
  } catch (error) {
    // Nothing can be started where the agent used up all processes: make room for one more.
    await allow(2 * pidsLimit).catch(() => Promise.reject(error));
    await kill();
    await allow(pidsLimit);
  }
}

/** Kills the processes of a user that inherited a marker. */
export function endMarkedProcesses(
  container: Docker.Container,
  user: string,
  marker: string,
): Promise<void> {
  const script = `for round in 1 2 3; do
  found=$(grep -ls "${MARKER_VARIABLE}=${marker}" /proc/[0-9]*/environ) || break
  for file in $found; do pid=\${file#/proc/}; kill -9 "\${pid%/environ}"; done
done`;
  return runScript(container, user, script);
}

async function runScript(container: Docker.Container, user: string, script: string): Promise<void> {
  const argv = ["/bin/sh", "-c", script];
  const process = await startExec(container, { argv, user, cwd: "/", env: {}, tty: undefined });
  process.stdout.resume();
  process.stderr.resume();
  await pTimeout(process.exit, {
    milliseconds: KILL_DEADLINE_MS,
    message: `the processes of the container didn't end within ${KILL_DEADLINE_MS / 1000} s`,
  });
}
