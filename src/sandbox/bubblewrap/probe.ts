import { execa } from "execa";
import { findProgram } from "../../process/index.js";

/** The full path of a bwrap that works here, or the reason why there is none. */
export async function findBubblewrap(): Promise<{ bwrap: string } | { reason: string }> {
  if (process.platform !== "linux") return { reason: "bubblewrap needs Linux" };
  const bwrap = findProgram("bwrap");
  if (!bwrap) return { reason: "bwrap isn't installed" };
  const args = ["--ro-bind", "/", "/", "--unshare-all", "--proc", "/proc", "--dev", "/dev", "true"];
  const result = await execa(bwrap, args, { reject: false, timeout: 10_000, stdin: "ignore" });
  if (!result.failed) return { bwrap };
  return { reason: `bwrap doesn't work here: ${result.stderr.trim().split("\n").at(-1)}` };
}
