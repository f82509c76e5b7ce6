import { type ChildProcessByStdio, spawn } from "node:child_process";
import { posix } from "node:path";
import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { asInfraError } from "../errors.js";
import type { DownloadOptions } from "../interfaces/index.js";
import { extractInto, packFolder } from "./tar.js";

/** How to start a program inside the sandbox from the host. */
export type Inside = (argv: string[]) => {
  command: string;
  args: string[];
  env: Record<string, string>;
};

/**
 * Copies through a `tar` that runs inside: a link that the agent planted leads somewhere in the
 * sandbox, never to the host's own files.
 */
export async function uploadThrough(
  inside: Inside,
  hostDir: string,
  path: string,
  only?: string[] | null,
): Promise<void> {
  const script = 'mkdir -p "$1" && exec tar -xf - -C "$1" --no-same-owner';
  const child = start(inside(["/bin/sh", "-c", script, "sh", path]));
  try {
    const fed = pipeline(packFolder(hostDir, { only: only ?? null }), child.stdin);
    // When tar fails, why it failed says more than the broken pipe.
    await Promise.all([exitOf(child), fed.catch(() => {})]);
    await fed;
  } catch (error) {
    throw asInfraError(error, `copying ${hostDir} into the sandbox failed`);
  }
}

export async function downloadThrough(
  inside: Inside,
  path: string,
  hostDir: string,
  options: DownloadOptions = {},
): Promise<void> {
  const script = '[ -e "$1" ] || exit 0; exec tar -cf - -C "$2" -- "$3"';
  const words = [path, posix.dirname(path), posix.basename(path)];
  const child = start(inside(["/bin/sh", "-c", script, "sh", ...words]));
  child.stdin.end();
  try {
    await Promise.all([exitOf(child), extractInto(child.stdout, hostDir, options)]);
  } catch (error) {
    throw asInfraError(error, `copying ${path} out of the sandbox failed`);
  }
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

function start({ command, args, env }: ReturnType<Inside>): Child {
  return spawn(command, args, { env, stdio: ["pipe", "pipe", "pipe"] });
}

function exitOf(child: Child): Promise<void> {
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr = (stderr + chunk).slice(-2000);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`tar ended with ${code}: ${stderr.trim()}`));
    });
  });
}
