import { mkdir } from "node:fs/promises";
import { type Emit, secondsOf } from "../events/index.js";
import type { CommandResult, Sandbox, Task } from "../interfaces/index.js";
import { quote } from "../shell-words.js";
import { parseTestOutput } from "./parsers.js";
import { type Reward, readReward } from "./reward.js";
import type { Verdict } from "./types.js";

const SET_UP_MS = 60_000;

export interface VerifyOptions {
  task: Task;
  /** Where the tests run: the agent's sandbox, or one of their own. */
  sandbox: Sandbox;
  timeoutSec: number;
  /** Host folder that gets a copy of /logs/verifier. */
  logsDir: string;
  emit: Emit;
  signal: AbortSignal;
}

/**
 * Verifies in a sandbox in which the agent has finished: all processes are killed, whatever is in the
 * verifier's folders is removed, and only then are the tests uploaded.
 */
export async function verify(options: VerifyOptions): Promise<Verdict> {
  const { task, sandbox } = options;
  const began = performance.now();
  options.emit({ type: "verifier_started" });
  await sandbox.endProcesses();
  await sandbox.useNetwork?.(task.verifier.network ?? task.environment.network);
  const folders = [sandbox.path("/logs/verifier")];
  // The image of a separate verifier may contain the tests.
  const hasTests = task.verifier.tests.length > 0;
  if (hasTests) folders.push(sandbox.path("/tests"));
  await setUp(options, recreate(folders));
  if (hasTests) await uploadTests(options);
  const result = await runTests(options);
  // What the tests started may still write, so it is killed before the reward is read.
  await sandbox.endProcesses();
  await mkdir(options.logsDir, { recursive: true });
  await sandbox.download("/logs/verifier", options.logsDir);
  const verdict = await judge(options, result);
  options.emit({
    type: "verifier_finished",
    ...verdict,
    exit_code: result.exitCode,
    output: result.output,
    duration_sec: secondsOf(performance.now() - began),
  });
  return verdict;
}

function recreate(paths: string[]): string {
  const all = paths.map(quote).join(" ");
  return `rm -rf ${all} && mkdir -p ${all} && chmod 777 ${quote(paths[0] as string)}`;
}

async function uploadTests({ task, sandbox, signal }: VerifyOptions): Promise<void> {
  for (const { dir, only } of task.verifier.tests) await sandbox.upload(dir, "/tests", only);
  const script = quote(scriptOf(task, sandbox));
  await sandbox.exec(`chmod +x ${script}`, { timeoutMs: SET_UP_MS, signal, cwd: "/", user: "0" });
}

async function setUp({ sandbox, signal }: VerifyOptions, command: string): Promise<void> {
  const options = { timeoutMs: SET_UP_MS, signal, cwd: "/", user: "0" };
  const { exitCode, output } = await sandbox.exec(command, options);
  if (exitCode !== 0) throw new Error(`can't create the verifier's folders: ${output}`);
}

function runTests({ task, sandbox, timeoutSec, signal }: VerifyOptions): Promise<CommandResult> {
  const { env, user, parser } = task.verifier;
  const script = quote(scriptOf(task, sandbox));
  // Terminal-Bench runs its scripts with bash, whatever their #! line is.
  const command =
    parser === "reward" || parser === "exit-code" ? `exec ${script}` : `exec bash ${script}`;
  const options = { timeoutMs: timeoutSec * 1000, signal, cwd: sandbox.workdir, env, user };
  return sandbox.exec(command, options);
}

function scriptOf(task: Task, sandbox: Sandbox): string {
  return sandbox.path(`/tests/${task.verifier.script}`);
}

async function judge(
  { task, logsDir, timeoutSec }: VerifyOptions,
  result: CommandResult,
): Promise<Verdict> {
  if (result.timedOut) return noReward(`the verifier timed out after ${timeoutSec} s`);
  const { parser } = task.verifier;
  if (parser !== "reward" && parser !== "exit-code")
    return verdictOf(parseTestOutput(parser, result.output));
  const reward = await readReward(logsDir);
  if (reward) return verdictOf(reward);
  return parser === "exit-code" ? byExitCode(result) : missingReward(result);
}

function verdictOf(reward: Reward): Verdict {
  if (!reward.ok) return noReward(reward.problem);
  return { reward: reward.reward, rewards: reward.rewards, error: null };
}

function missingReward({ exitCode, output }: CommandResult): Verdict {
  const end = output.slice(-500).trim();
  return noReward(
    `the tests wrote neither /logs/verifier/reward.txt nor reward.json (exit code ${exitCode})${end === "" ? "" : `: ${end}`}`,
  );
}

/** If the task allows it and there is no reward file, the exit code decides, unless the script could not be started. */
function byExitCode({ exitCode, output }: CommandResult): Verdict {
  if (exitCode === 126 || exitCode === 127)
    return noReward(`the tests could not be run (exit code ${exitCode}): ${output.slice(-500)}`);
  const reward = exitCode === 0 ? 1 : 0;
  return { reward, rewards: { reward }, error: null };
}

function noReward(error: string): Verdict {
  return { reward: null, rewards: null, error };
}
