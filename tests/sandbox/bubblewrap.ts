import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import type { RunOptions, Sandbox } from "../../src/interfaces/index.js";
import { KINDS, makeTask, openSandbox, watchdog } from "./kinds.js";

export const BUBBLEWRAP = KINDS.find(({ kind }) => kind === "bubblewrap");
export const isRoot = process.getuid?.() === 0;

/** Who starts term-run: root becomes someone who owns nothing, others stay who they are. */
export const STARTED_BY = [...(isRoot ? ["root"] : []), "an unprivileged user"];
const NOBODY_IN_PARTICULAR = 424242;
const PROGRAMS = {
  commands: fileURLToPath(new URL("programs/commands.ts", import.meta.url)),
  held: fileURLToPath(new URL("programs/held.ts", import.meta.url)),
};

export interface CommandEnd {
  output: string;
  exitCode: number;
}

export const options: RunOptions = {
  timeoutMs: 300_000,
  signal: new AbortController().signal,
};

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

/** The same as somebody else. */
export async function runAs(who: string, commands: string[]): Promise<CommandEnd[]> {
  if (who === "root" || !isRoot) return runInBubblewrap(commands);
  return (await runApart(who, commands)).ends;
}

/** In a process and a temp folder of their own; says what is left in that folder afterwards. */
export async function runApart(
  who: string,
  commands: string[],
): Promise<{ ends: CommandEnd[]; left: string[] }> {
  const { process, dir, remove } = await startApart(who, "commands", commands);
  try {
    const { stdout, stderr, exitCode } = await process;
    if (exitCode !== 0) throw new Error(stderr);
    const left = readdirSync(dir).filter((name) => name.startsWith("term-run-"));
    return { ends: JSON.parse(stdout) as CommandEnd[], left };
  } finally {
    await remove();
  }
}

/** Starts one of the programs as somebody else. */
export async function startApart(who: string, program: keyof typeof PROGRAMS, words: string[]) {
  const id = NOBODY_IN_PARTICULAR;
  const user = ["setpriv", `--reuid=${id}`, `--regid=${id}`, "--clear-groups", "--"];
  const [file = "", ...args] = [
    ...(who === "root" || !isRoot ? [] : user),
    ...["node", "--import", "tsx", PROGRAMS[program], ...words],
  ];
  const dir = mkdtempSync(join(tmpdir(), "apart-"));
  chmodSync(dir, 0o777);
  const process = execa(file, args, { env: { TMPDIR: dir, HOME: dir }, reject: false });
  const said = once(process.stdout, "data").then(([bytes]) => String(bytes));
  return {
    process,
    dir,
    said,
    kill: () => process.kill("SIGKILL"),
    remove: async () => {
      process.kill("SIGKILL");
      await process;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
