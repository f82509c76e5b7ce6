import { posix } from "node:path";
import { pipeline } from "node:stream/promises";
import pTimeout from "p-timeout";
import { asInfraError } from "../../errors.js";
import type {
  Download,
  DownloadOptions,
  SandboxProcess,
  UploadOptions,
} from "../../interfaces/index.js";
import { extractInto } from "../extract.js";
import { packFolder } from "../tar.js";

type Spawn = (argv: string[]) => Promise<SandboxProcess>;

/** A process that has closed its output ends soon. */
const END_MS = 30_000;

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

/**
 * What goes wrong with the sandbox's `tar` is the agent's affair and is reported; only what the
 * host can't do is an error.
 */
export async function downloadThrough(
  spawn: Spawn,
  path: string,
  hostDir: string,
  options: DownloadOptions = {},
): Promise<Download> {
  const script = '[ -e "$1" ] || exit 0; exec tar -cf - -C "$2" -- "$3"';
  const words = [path, posix.dirname(path), posix.basename(path)];
  try {
    const tar = await spawn(["/bin/sh", "-c", script, "sh", ...words]);
    tar.stdin.end();
    const end = readEnd(tar);
    try {
      const download = await extractInto(tar.stdout, hostDir, options);
      // If it isn't read to its end, tar notices.
      if (!tar.stdout.readableEnded || download.problem !== null) return download;
      const problem = await pTimeout(end, {
        milliseconds: END_MS,
        fallback: () => "tar did not end",
      });
      return { ...download, problem };
    } finally {
      tar.kill();
    }
  } catch (error) {
    throw asInfraError(error, `copying ${path} out of the sandbox failed`);
  }
}

async function awaitSuccess(tar: SandboxProcess): Promise<void> {
  const problem = await readEnd(tar);
  if (problem !== null) throw new Error(problem);
}

/** How a `tar` failed; null if it didn't. */
async function readEnd(tar: SandboxProcess): Promise<string | null> {
  let stderr = "";
  tar.stderr.on("data", (chunk) => {
    stderr = (stderr + chunk).slice(-2000);
  });
  const code = await tar.exit;
  return code === 0 ? null : `tar exited with code ${code}: ${stderr.trim()}`;
}
