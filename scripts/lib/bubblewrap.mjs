import { execa } from "execa";
import { SetupError } from "./errors.mjs";
import { ensurePrograms, findProgram } from "./install.mjs";

/** Why bubblewrap can't be used here; undefined if it works. */
export async function bubblewrapProblem() {
  const bwrap = findProgram("bwrap");
  if (!bwrap) return "bwrap is not installed";
  // A new /proc and /dev are what a locked-down machine refuses first.
  const isolation = ["--unshare-all", "--die-with-parent", "--proc", "/proc", "--dev", "/dev"];
  const result = await execa(bwrap, ["--ro-bind", "/", "/", ...isolation, "true"], {
    reject: false,
    timeout: 10_000,
    stdin: "ignore",
  });
  if (!result.failed) return undefined;
  return `bwrap does not work here: ${result.stderr.trim() || result.shortMessage}`;
}

/** @param {{ signal: AbortSignal }} options */
export async function ensureBubblewrap(options) {
  if (process.platform !== "linux") throw new SetupError("bubblewrap is for Linux only");
  await ensurePrograms(["bwrap"], options);
  const problem = await bubblewrapProblem();
  if (problem) throw new SetupError(problem);
}
