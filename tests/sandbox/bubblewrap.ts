import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import type { Sandbox } from "../../src/interfaces/index.js";
import { KINDS, makeTask, openSandbox, watchdog } from "./kinds.js";

export const BUBBLEWRAP = KINDS.find(({ kind }) => kind === "bubblewrap");
export const isRoot = process.getuid?.() === 0;

/** Who starts term-run: root becomes someone who owns nothing, others stay who they are. */
export const STARTED_BY = [...(isRoot ? ["root"] : []), "an unprivileged user"];
const NOBODY_IN_PARTICULAR = 424242;
const PROGRAM = fileURLToPath(new URL("programs/commands.ts", import.meta.url));

export interface CommandEnd {
  output: string;
  exitCode: number;
}

const signal = new AbortController().signal;
export const options = { timeoutMs: 300_000, signal };

type Changes = Parameters<typeof makeTask>[0];

export async function openBubblewrap(changes?: Changes): Promise<Sandbox> {
  if (!BUBBLEWRAP) throw new Error("bubblewrap is skipped");
  return openSandbox(BUBBLEWRAP, makeTask(changes));
}

/** Runs commands one after another in one sandbox of this process's user. */
export async function runInBubblewrap(commands: string[]): Promise<CommandEnd[]> {
  const sandbox = await openBubblewrap();
  try {
    const ends: CommandEnd[] = [];
    for (const command of commands) {
      const { output, exitCode } = await sandbox.run(command, options);
      ends.push({ output, exitCode });
    }
    return ends;
  } finally {
    await sandbox.close();
    watchdog.dismiss();
  }
}

/** The same as somebody else, who gets a temp folder that is empty at the end. */
export async function runAs(who: string, commands: string[]): Promise<CommandEnd[]> {
  if (who === "root" || !isRoot) return runInBubblewrap(commands);
  const { stdout } = await asUnprivileged(["node", "--import", "tsx", PROGRAM, ...commands]);
  return JSON.parse(stdout) as CommandEnd[];
}

export async function asUnprivileged(argv: string[]) {
  const user = [`--reuid=${NOBODY_IN_PARTICULAR}`, `--regid=${NOBODY_IN_PARTICULAR}`];
  const TMPDIR = mkdtempSync(join(tmpdir(), "unprivileged-"));
  chmodSync(TMPDIR, 0o777);
  try {
    return await execa("setpriv", [...user, "--clear-groups", "--", ...argv], {
      env: { TMPDIR, HOME: TMPDIR },
    });
  } finally {
    rmSync(TMPDIR, { recursive: true, force: true });
  }
}
