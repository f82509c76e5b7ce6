import type { Emit, Redactor } from "../events/index.js";
import type {
  CommandResult,
  DownloadLimits,
  RunningProcess,
  Sandbox,
  Task,
} from "../interfaces/index.js";
import { quote } from "../shell-words.js";
import { judge } from "./judge.js";
import type { Verdict } from "./types.js";
import { copyLogs } from "./verifier-logs.js";

export interface LookOptions {
  task: Task;
  /** Where the tests run: the agent's sandbox, or another one. */
  sandbox: Sandbox;
  timeoutSec: number;
  /** Host folder that gets a copy of /logs/verifier. */
  logsDir: string;
  /** Whether nothing works in the sandbox afterwards. */
  isLast: boolean;
  downloadLimits: DownloadLimits;
  redactor: Redactor;
  emit: Emit;
  signal: AbortSignal;
}

/** What running the tests once gave. */
export interface Look {
  verdict: Verdict;
  result: CommandResult;
}

/** Makes the sandbox ready for the tests: its network, and empty folders in place of the agent's. */
export async function clearForTests({ task, sandbox }: LookOptions): Promise<void> {
  await sandbox.useNetwork?.(task.verifier.network ?? task.environment.network);
  await emptyFolders(task, sandbox);
}

/**
 * Uploads the tests and runs them. What they may have started is killed before the reward is read;
 * the processes to keep go on for the agent's next part.
 */
export async function lookOnce(options: LookOptions, keep: RunningProcess[]): Promise<Look> {
  const { task, sandbox, isLast } = options;
  await uploadTests(options);
  const result = await runTests(options);
  await sandbox.endProcesses(isLast ? [] : keep);
  const logs = await copyLogs(options);
  // The agent of the next part must see neither the tests nor their results.
  if (!isLast) await emptyFolders(task, sandbox);
  return { verdict: judge({ ...options, ...logs }, result), result };
}

/** Recreates the verifier's folders. */
async function emptyFolders(task: Task, sandbox: Sandbox): Promise<void> {
  const logs = { path: sandbox.path("/logs/verifier"), mode: 0o777 };
  const tests = { path: sandbox.path("/tests"), mode: 0o755 };
  // The image of a separate verifier may contain the tests.
  await sandbox.recreate(task.verifier.tests.length > 0 ? [logs, tests] : [logs]);
}

async function uploadTests({ task, sandbox }: LookOptions): Promise<void> {
  const { tests, script } = task.verifier;
  for (const { dir, only } of tests)
    await sandbox.upload(dir, "/tests", { only, executable: [script] });
}

function runTests({ task, sandbox, timeoutSec, signal }: LookOptions): Promise<CommandResult> {
  const { env, user, parser, script, sameShell } = task.verifier;
  const file = sandbox.path(`/tests/${script}`);
  const limits = { timeoutMs: timeoutSec * 1000, signal };
  if (sameShell) return sandbox.run(`${assign(env)}bash ${quote(file)}`, limits);
  // Terminal-Bench runs its scripts with bash, whatever their #! line is.
  const isNative = parser === "reward" || parser === "exit-code";
  return sandbox.execFile(isNative ? [file] : ["bash", file], {
    ...limits,
    cwd: sandbox.workdir,
    env,
    user,
  });
}

function assign(env: Record<string, string>): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${quote(value)} `)
    .join("");
}
