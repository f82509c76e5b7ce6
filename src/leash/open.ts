import { execa } from "execa";
import { findProgram } from "../process/index.js";
import { isolation } from "./arguments.js";
import { findLeashProgram } from "./program.js";

const PROBE_MS = 10_000;
const HINT =
  "Install bubblewrap (apt-get install bubblewrap), or say that you trust the agent: --trust-agent.";

/** Whether agents run on a leash here, and if they don't, whose decision that is. */
export type LeashChoice =
  | { kind: "bubblewrap"; bwrap: string }
  | { kind: "none"; notice: string }
  | { kind: "trusted" };

/** Looks once whether namespaces can be had; before anything runs that could replace bubblewrap. */
export async function openLeash({ trusted }: { trusted: boolean }): Promise<LeashChoice> {
  if (trusted) return { kind: "trusted" };
  const found = await findBubblewrap();
  if ("bwrap" in found) return { kind: "bubblewrap", ...found };
  const what = "It can read the tasks' tests and change results";
  return {
    kind: "none",
    notice: `the agent runs without a leash: ${found.reason}. ${what}. ${HINT}`,
  };
}

async function findBubblewrap(): Promise<{ bwrap: string } | { reason: string }> {
  if (process.platform !== "linux") return { reason: "a leash needs Linux" };
  if (!findLeashProgram()) return { reason: `a leash doesn't know ${process.arch} processors` };
  const bwrap = findProgram("bwrap");
  if (!bwrap) return { reason: "bwrap isn't installed" };
  const { failed, stderr, shortMessage } = await execa(bwrap, [...isolation(), "true"], {
    reject: false,
    timeout: PROBE_MS,
    stdin: "ignore",
  });
  if (!failed) return { bwrap };
  return { reason: `bwrap doesn't work here: ${stderr.trim().split("\n").at(-1) || shortMessage}` };
}
