import { execa } from "execa";
import { findProgram } from "../../process/index.js";

/** The full paths of what makes a sandbox. */
export interface Programs {
  bwrap: string;
  nsenter: string;
}

/** The programs, if they work here, or the reason why not. */
export async function findPrograms(): Promise<Programs | { reason: string }> {
  if (process.platform !== "linux") return { reason: "bubblewrap needs Linux" };
  const [bwrap, nsenter] = [findProgram("bwrap"), findProgram("nsenter")];
  if (!bwrap) return { reason: "bwrap isn't installed" };
  if (!nsenter) return { reason: "bubblewrap needs nsenter, which isn't installed (util-linux)" };
  const args = ["--ro-bind", "/", "/", "--unshare-all", "--proc", "/proc", "--dev", "/dev", "true"];
  const result = await execa(bwrap, args, { reject: false, timeout: 10_000, stdin: "ignore" });
  if (!result.failed) return { bwrap, nsenter };
  return { reason: `bwrap doesn't work here: ${result.stderr.trim().split("\n").at(-1)}` };
}
