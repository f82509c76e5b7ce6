import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";

const DEADLINE_MS = 120_000;
/** Paths that are too long for a system call, and folders that their owner may not write to. */
const SCRIPT =
  'rm -rf -- "$1" 2>/dev/null || { chmod -R u+rwx -- "$1" 2>/dev/null; rm -rf -- "$1"; }';

/** Removes a folder, whatever the depth and the modes of what is in it. */
export async function removeTree(dir: string): Promise<void> {
  try {
    await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  } catch {
    await promisify(execFile)("/bin/sh", ["-c", SCRIPT, "sh", dir], { timeout: DEADLINE_MS });
  }
}
