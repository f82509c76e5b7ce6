import { stripVTControlCharacters } from "node:util";
import { execa } from "execa";
import { TermRunError } from "../../errors.js";
import { findProgram, type Watchdog } from "../../process/index.js";

/** Long enough for a dataset of many gigabytes; a connection that stalls ends sooner, see below. */
const TIMEOUT_MS = 2 * 60 * 60 * 1000;

interface GitOptions {
  cwd?: string;
  input?: string;
  timeoutMs?: number;
  /** The latest line of git's own progress. */
  onLine?(line: string): void;
}

/** A git command that failed, with the reason that git gave. */
export class GitError extends Error {}

/** Runs git and returns what it prints. */
export type Git = (args: string[], options?: GitOptions) => Promise<string>;

/**
 * A git that never asks for anything, runs no hooks, speaks no protocol that could run a program, and
 * ends with this process, even after SIGKILL.
 */
export function createGit(watchdog: Watchdog): Git {
  return async (args, { cwd, input = "", timeoutMs = TIMEOUT_MS, onLine } = {}) => {
    // Detached, it has no terminal: ssh can't ask for a password there either.
    const child = execa(findGit(), args, {
      ...(cwd === undefined ? {} : { cwd }),
      input,
      env: gitEnvironment(),
      extendEnv: false,
      detached: true,
      cleanup: false,
      reject: false,
      timeout: timeoutMs,
    });
    const { pid } = child;
    if (pid) watchdog.watchTree(pid);
    if (onLine) child.stderr.on("data", (chunk: Buffer) => showLast(chunk.toString(), onLine));
    const { failed, timedOut, stdout, stderr, shortMessage } = await child;
    if (pid) watchdog.releaseTree(pid);
    if (timedOut) throw new GitError("git took too long");
    if (failed) throw new GitError(explain(stderr) ?? shortMessage);
    return stdout;
  };
}

function findGit(): string {
  const git = findProgram("git");
  if (git !== null) return git;
  throw new TermRunError("usage", "git can't be found, and datasets are fetched with it", {
    hint: "Install git and make sure that it is on the PATH.",
  });
}

function showLast(text: string, onLine: (line: string) => void): void {
  const line = linesOf(text).at(-1);
  if (line) onLine(line);
}

/** The first fatal error; the one that says only that nothing could be read follows its reason. */
function explain(stderr: string): string | null {
  const lines = linesOf(stderr);
  const place = lines.findIndex((line) => line.startsWith("fatal: "));
  const line = lines[place]?.includes("Could not read from remote") ? lines[place - 1] : null;
  return (line ?? lines[place] ?? lines.at(-1))?.replace(/^(fatal|error): /, "") ?? null;
}

/** Without blank ones, and without what could move the cursor: a server wrote some of them. */
function linesOf(text: string): string[] {
  return stripVTControlCharacters(text)
    .split(/[\r\n]+/)
    .map((line) => line.replace(/\p{Cc}/gu, "").trim())
    .filter((line) => line !== "");
}

const SETTINGS: Record<string, string> = {
  "advice.detachedHead": "false",
  "core.autocrlf": "false",
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.symlinks": "true",
  "fetch.recurseSubmodules": "false",
  "gc.auto": "0",
  "http.lowSpeedLimit": "1000",
  "http.lowSpeedTime": "60",
  "init.templateDir": "",
  "maintenance.auto": "false",
  "submodule.recurse": "false",
};

/** Set by git for its hooks: they would make it work on another repository. */
const OF_A_REPOSITORY = [
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_DIR",
  "GIT_INDEX_FILE",
  "GIT_NAMESPACE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_WORK_TREE",
];

function gitEnvironment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const name of OF_A_REPOSITORY) delete env[name];
  // Beside the settings that the user gives in this way, often credentials.
  let count = Number(env.GIT_CONFIG_COUNT ?? 0) || 0;
  for (const [key, value] of Object.entries(SETTINGS)) {
    env[`GIT_CONFIG_KEY_${count}`] = key;
    env[`GIT_CONFIG_VALUE_${count}`] = value;
    count += 1;
  }
  return {
    ...env,
    GIT_CONFIG_COUNT: String(count),
    GIT_ALLOW_PROTOCOL: "file:https:ssh",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GCM_INTERACTIVE: "never",
    GIT_OPTIONAL_LOCKS: "0",
    LC_ALL: "C",
  };
}
