import { posix } from "node:path";
import { pipeline } from "node:stream/promises";
import { asInfraError } from "../../errors.js";
import type { DownloadOptions, SandboxProcess, UploadOptions } from "../../interfaces/index.js";
import { extractInto, packFolder } from "../tar.js";

type Spawn = (argv: string[]) => Promise<SandboxProcess>;

/**
 * Copies through a `tar` that runs in the sandbox: a link that the agent planted leads somewhere
 * in the sandbox, never to the host's own files.
 */
export async function uploadThrough(
  spawn: Spawn,
  hostDir: string,
  path: string,
  options: UploadOptions = {},
): Promise<void> {
  const script = 'mkdir -p "$1" && exec tar -xf - -C "$1" --no-same-owner';
  try {
    const tar = await spawn(["/bin/sh", "-c", script, "sh", path]);
    tar.stdout.resume();
    const sent = pipeline(packFolder(hostDir, options), tar.stdin);
    // If tar fails, its own message says more than the broken pipe.
    await Promise.all([awaitSuccess(tar), sent.catch(() => {})]);
    await sent;
  } catch (error) {
    throw asInfraError(error, `copying ${hostDir} into the sandbox failed`);
  }
}

export async function downloadThrough(
  spawn: Spawn,
  path: string,
  hostDir: string,
  options: DownloadOptions = {},
): Promise<void> {
  const script = '[ -e "$1" ] || exit 0; exec tar -cf - -C "$2" -- "$3"';
  const words = [path, posix.dirname(path), posix.basename(path)];
  try {
    const tar = await spawn(["/bin/sh", "-c", script, "sh", ...words]);
    tar.stdin.end();
    await Promise.all([awaitSuccess(tar), extractInto(tar.stdout, hostDir, options)]);
  } catch (error) {
    throw asInfraError(error, `copying ${path} out of the sandbox failed`);
  }
}

async function awaitSuccess(tar: SandboxProcess): Promise<void> {
  let stderr = "";
  tar.stderr.on("data", (chunk) => {
    stderr = (stderr + chunk).slice(-2000);
  });
  const code = await tar.exit;
  if (code !== 0) throw new Error(`tar exited with code ${code}: ${stderr.trim()}`);
}
