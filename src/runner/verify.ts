import { mkdir } from "node:fs/promises";
import { type Emit, type ProcessRecord, secondsOf } from "../events/index.js";
import type { CommandResult, RunningProcess, Sandbox, Task } from "../interfaces/index.js";
import { quote } from "../shell-words.js";
import { judge } from "./judge.js";
import type { Verdict } from "./types.js";

const SET_UP_MS = 60_000;
/** What a log says of processes, at most: an agent may leave thousands. */
const MAX_PROCESSES = 50;
const MAX_COMMAND = 300;

export interface VerifyOptions {
  task: Task;
  /** Where the tests run: the agent's sandbox, or one of their own. */
  sandbox: Sandbox;
  timeoutSec: number;
  /** Host folder that gets a copy of /logs/verifier. */
  logsDir: string;
  /** Whether nothing works in the sandbox afterwards. */
  isLast: boolean;
  emit: Emit;
  signal: AbortSignal;
}

/**
 * Verifies what the agent left: its shell is gone, what it started is still running unless the task
 * wants that ended. Whatever is in the verifier's folders is removed, and only then are the tests
 * uploaded. What they may have started is killed before the reward is read.
 */
export async function verify(options: VerifyOptions): Promise<Verdict> {
  const { task, sandbox, emit } = options;
  const began = performance.now();
  if (task.verifier.processes === "end") await sandbox.endProcesses();
  await sandbox.useNetwork?.(task.verifier.network ?? task.environment.network);
  // Before any process of term-run's own starts, which would be taken for the agent's.
  const running = await sandbox.listProcesses();
  await uploadTests(options);
  emit({ type: "verifier_started", processes: describe(running) });
  const result = await runTests(options);
  await sandbox.endProcesses(options.isLast ? [] : running);
  await mkdir(options.logsDir, { recursive: true });
  await sandbox.download("/logs/verifier", options.logsDir);
  // The agent of the next part must see neither the tests nor their results.
  if (!options.isLast) await emptyFolders(options);
  const verdict = await judge(options, result);
  emit({
    type: "verifier_finished",
    ...verdict,
    exit_code: result.exitCode,
    output: result.output,
    duration_sec: secondsOf(performance.now() - began),
  });
  return verdict;
}

function describe(running: RunningProcess[]): ProcessRecord[] {
  return running
    .filter(({ isForeign }) => isForeign)
    .slice(0, MAX_PROCESSES)
    .map(({ pid, command, ageSec }) => {
      return { pid, command: command.slice(0, MAX_COMMAND), age_sec: ageSec };
    });
}

/** Recreates the verifier's folders and fills them. */
async function uploadTests(options: VerifyOptions): Promise<void> {
  const { tests, script } = options.task.verifier;
  await emptyFolders(options);
  for (const { dir, only } of tests)
    await options.sandbox.upload(dir, "/tests", { only, executable: [script] });
}

async function emptyFolders({ task, sandbox, signal }: VerifyOptions): Promise<void> {
  const folders = [sandbox.path("/logs/verifier")];
  // The image of a separate verifier may contain the tests.
  if (task.verifier.tests.length > 0) folders.push(sandbox.path("/tests"));
  const options = { timeoutMs: SET_UP_MS, signal, cwd: "/", user: "0" };
  const { exitCode, output } = await sandbox.exec(recreate(folders), options);
  if (exitCode !== 0) throw new Error(`can't create the verifier's folders: ${output}`);
}

function recreate(paths: string[]): string {
  const all = paths.map(quote).join(" ");
  return `rm -rf ${all} && mkdir -p ${all} && chmod 777 ${quote(paths[0] as string)}`;
}

function runTests({ task, sandbox, timeoutSec, signal }: VerifyOptions): Promise<CommandResult> {
  const { env, user, parser, script, sameShell } = task.verifier;
  const file = quote(sandbox.path(`/tests/${script}`));
  const limits = { timeoutMs: timeoutSec * 1000, signal };
  if (sameShell) return sandbox.run(`${assign(env)}bash ${file}`, limits);
  // Terminal-Bench runs its scripts with bash, whatever their #! line is.
  const isNative = parser === "reward" || parser === "exit-code";
  const command = isNative ? `exec ${file}` : `exec bash ${file}`;
  return sandbox.exec(command, { ...limits, cwd: sandbox.workdir, env, user });
}

function assign(env: Record<string, string>): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${quote(value)} `)
    .join("");
}
