import { mkdir } from "node:fs/promises";
import type { Emit } from "../events/types.js";
import type { Sandbox, Task } from "../interfaces.js";
import { quote } from "../sandbox/shell/script.js";
import { readReward } from "./reward.js";
import { seconds } from "./steps.js";

const SET_UP_MS = 60_000;

export interface Verdict {
  reward: number | null;
  rewards: Record<string, number> | null;
  /** Why there is no reward. */
  error: string | null;
}

/**
 * Verifies in a sandbox that nobody works in any more: all processes are ended, what the agent may
 * have left in the verifier's places is wiped, and only then do the tests arrive.
 */
export async function verify(options: {
  task: Task;
  sandbox: Sandbox;
  timeoutSec: number;
  /** Host folder that gets a copy of /logs/verifier. */
  logsDir: string;
  emit: Emit;
  signal: AbortSignal;
}): Promise<Verdict> {
  const { task, sandbox, emit, signal } = options;
  const began = performance.now();
  emit({ type: "verifier_started" });
  await sandbox.endProcesses();
  const tests = sandbox.path("/tests");
  const logs = sandbox.path("/logs/verifier");
  const script = `${tests}/${task.verifier.script}`;
  const setUp = { timeoutMs: SET_UP_MS, signal, cwd: "/", user: "0" };
  const places = `${quote(tests)} ${quote(logs)}`;
  const wipe = `rm -rf ${places} && mkdir -p ${places} && chmod 777 ${quote(logs)}`;
  const wiped = await sandbox.exec(wipe, setUp);
  if (wiped.exitCode !== 0)
    throw new Error(`the verifier's folders can't be made: ${wiped.output}`);
  for (const { dir, only } of task.verifier.tests) await sandbox.upload(dir, "/tests", only);
  await sandbox.exec(`chmod +x ${quote(script)}`, setUp);
  const result = await sandbox.exec(`exec ${quote(script)}`, {
    timeoutMs: options.timeoutSec * 1000,
    signal,
    cwd: sandbox.workdir,
    env: task.verifier.env,
    user: task.verifier.user,
  });
  // What the tests started may still write: it ends before the reward is read.
  await sandbox.endProcesses();
  await mkdir(options.logsDir, { recursive: true });
  await sandbox.download("/logs/verifier", options.logsDir);
  const verdict = await judge(options.logsDir, result, options.timeoutSec);
  emit({
    type: "verifier_finished",
    ...verdict,
    exit_code: result.exitCode,
    output: result.output,
    duration_sec: seconds(performance.now() - began),
  });
  return verdict;
}

async function judge(
  dir: string,
  result: { exitCode: number; timedOut: boolean; output: string },
  timeoutSec: number,
): Promise<Verdict> {
  if (result.timedOut) return noReward(`the verifier did not end within ${timeoutSec} s`);
  const reward = await readReward(dir);
  if (!reward) return byExitCode(result);
  if (!reward.ok) return noReward(reward.problem);
  return { reward: reward.reward, rewards: reward.rewards, error: null };
}

/** Without a reward file the exit code decides, unless the script could not even be started. */
function byExitCode({ exitCode, output }: { exitCode: number; output: string }): Verdict {
  if (exitCode === 126 || exitCode === 127)
    return noReward(`test.sh could not be run (exit code ${exitCode}): ${output.slice(-500)}`);
  const reward = exitCode === 0 ? 1 : 0;
  return { reward, rewards: { reward }, error: null };
}

function noReward(error: string): Verdict {
  return { reward: null, rewards: null, error };
}
