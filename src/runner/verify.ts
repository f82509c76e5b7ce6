import { type Emit, type ProcessRecord, type Redactor, secondsOf } from "../events/index.js";
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
  downloadLimits: DownloadLimits;
  redactor: Redactor;
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
  await emptyFolders(options);
  // While no process of term-run's own runs, which would be taken for the agent's.
  const running = await sandbox.listProcesses();
  await uploadTests(options);
  emit({ type: "verifier_started", processes: describe(running) });
  const result = await runTests(options);
  await sandbox.endProcesses(options.isLast ? [] : running);
  const logs = await copyLogs(options);
  // The agent of the next part must see neither the tests nor their results.
  if (!options.isLast) await emptyFolders(options);
  const verdict = judge({ ...options, ...logs }, result);
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

async function uploadTests({ task, sandbox }: VerifyOptions): Promise<void> {
  const { tests, script } = task.verifier;
  for (const { dir, only } of tests)
    await sandbox.upload(dir, "/tests", { only, executable: [script] });
}

/** Recreates the verifier's folders. */
async function emptyFolders({ task, sandbox }: VerifyOptions): Promise<void> {
  const logs = { path: sandbox.path("/logs/verifier"), mode: 0o777 };
  const tests = { path: sandbox.path("/tests"), mode: 0o755 };
  // The image of a separate verifier may contain the tests.
  await sandbox.recreate(task.verifier.tests.length > 0 ? [logs, tests] : [logs]);
}

function runTests({ task, sandbox, timeoutSec, signal }: VerifyOptions): Promise<CommandResult> {
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
