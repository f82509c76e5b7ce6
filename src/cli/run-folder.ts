import { existsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { messageOf, TermRunError } from "../errors.js";

/** The folder a run writes to: a new one, or the one that is resumed. */
export async function openRunFolder(
  flags: { out?: string; resume?: string },
  agent: string,
): Promise<string> {
  if (flags.resume !== undefined && flags.out !== undefined)
    throw new TermRunError("usage", "--out and --resume can't be used together");
  if (flags.resume !== undefined) return findRun(resolve(flags.resume));
  if (flags.out !== undefined) return makeNamed(resolve(flags.out));
  return makeNew(agent);
}

function findRun(dir: string): string {
  if (existsSync(join(dir, "run.json"))) return dir;
  throw new TermRunError("usage", `no run to resume in ${dir}`, {
    hint: "Give the folder that the run printed, e.g. runs/2026-01-05T09-00-00-my-agent.",
  });
}

async function makeNamed(dir: string): Promise<string> {
  if (existsSync(join(dir, "run.json")))
    throw new TermRunError("usage", `${dir} already contains a run`, {
      hint: `Resume it (--resume ${dir}), or choose another folder.`,
    });
  await makeFolder(dir);
  return dir;
}

/** One level at a time: a recursive mkdir can loop forever where no folder can be created. */
async function makeFolder(dir: string): Promise<void> {
  if (existsSync(dir) && statSync(dir).isDirectory()) return;
  try {
    if (dirname(dir) !== dir) await makeFolder(dirname(dir));
    await mkdir(dir);
  } catch (error) {
    if (error instanceof TermRunError) throw error;
    throw new TermRunError("usage", `${dir} can't be created: ${messageOf(error)}`, {
      hint: "Choose another folder with --out.",
    });
  }
}

/** Two runs that begin in the same second get two folders. */
async function makeNew(agent: string): Promise<string> {
  const time = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const base = resolve("runs", `${time}-${agent.replace(/[^\w.-]+/g, "-")}`);
  await makeFolder(dirname(base));
  for (let number = 1; ; number++) {
    const dir = number === 1 ? base : `${base}-${number}`;
    try {
      await mkdir(dir);
      return dir;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
