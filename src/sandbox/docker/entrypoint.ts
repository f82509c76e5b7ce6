import { randomBytes } from "node:crypto";
import { once } from "node:events";
import pTimeout, { TimeoutError } from "p-timeout";
import type { SandboxProcess } from "../../interfaces/index.js";
import type { Service } from "./compose/service.js";

/** An entrypoint that hasn't come to its command by then may never do so: servers don't. */
const REACH_DEADLINE_MS = 30_000;

/** What the image, or a compose file over it, runs before any command; null if nothing. */
export function entrypointOf(
  { Entrypoint }: { Entrypoint?: string | string[] | null | undefined },
  service: Service | null,
): string[] | null {
  const own = service?.entrypoint ?? Entrypoint ?? [];
  const argv = typeof own === "string" ? [own] : own;
  return argv.length === 0 ? null : argv;
}

/**
 * Starts an entrypoint beside the guard, with a command that waits for ever, as the formats have
 * it. Resolves once it has come to that command, has ended, or takes too long: the services that
 * it starts are there then.
 */
export async function runEntrypoint(
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
