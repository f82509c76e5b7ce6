import { randomBytes } from "node:crypto";
import { once } from "node:events";
import pTimeout, { TimeoutError } from "p-timeout";
import type { SandboxProcess } from "../../interfaces/index.js";
import type { Service } from "../../task/index.js";

/** An entrypoint that hasn't come to its command by then may never do so: servers don't. */
const REACH_DEADLINE_MS = 30_000;

/** Commands that only keep a container alive, as the formats' own do. */
const WAITS =
  /^((\/bin\/)?(ba)?sh -l?c )?(exec )?(sleep (infinity|inf|\d+[smhd]?)|tail -f \/dev\/null|(\/bin\/)?(ba)?sh)$/;

/** What runs in a sandbox from the start. */
export interface Startup {
  entrypoint: string[];
  /** null: one that waits. */
  command: string[] | null;
}

/** What the image, or a compose file over it, runs from the start; null if nothing but a wait. */
export function startupOf(
  { Entrypoint }: { Entrypoint?: string | string[] | null | undefined },
  service: Service | null,
): Startup | null {
  const own = service?.entrypoint ?? Entrypoint ?? [];
  const entrypoint = typeof own === "string" ? [own] : own;
  const given = service?.command ?? [];
  const command = given.length === 0 || WAITS.test(given.join(" ")) ? null : given;
  return entrypoint.length === 0 && command === null ? null : { entrypoint, command };
}

/** Starts it beside the guard. A command of the task's own isn't waited for. */
export async function runStartup(
  { entrypoint, command }: Startup,
  spawn: (argv: string[]) => Promise<SandboxProcess>,
  signal: AbortSignal,
): Promise<void> {
  if (command === null) return runEntrypoint(entrypoint, spawn, signal);
  const process = await spawn([...entrypoint, ...command]);
  process.stdin.end();
  process.stdout.resume();
  process.stderr.resume();
}

/**
 * Starts an entrypoint beside the guard, with a command that waits for ever, as the formats have
 * it. Resolves once it has come to that command, has ended, or takes too long: the services that
 * it starts are there then.
 */
async function runEntrypoint(
  argv: string[],
  spawn: (argv: string[]) => Promise<SandboxProcess>,
  signal: AbortSignal,
): Promise<void> {
  const token = randomBytes(8).toString("hex");
  const command = ["/bin/sh", "-c", `echo ${token}; exec sleep infinity`];
  const process = await spawn([...argv, ...command]);
  process.stdin.end();
  process.stderr.resume();
  const reached = new Promise<void>((resolve) => {
    let seen = "";
    process.stdout.on("data", (bytes) => {
      seen = (seen + bytes).slice(-2 * token.length);
      if (seen.includes(token)) resolve();
    });
  });
  const over = once(process.stdout, "close");
  await pTimeout(Promise.race([reached, over]), {
    milliseconds: REACH_DEADLINE_MS,
    signal,
  }).catch((error) => {
    if (!(error instanceof TimeoutError)) throw error;
  });
}
