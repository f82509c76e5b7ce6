import type { CommandResult, Task } from "../interfaces/index.js";
import { parseTestOutput } from "./parsers.js";
import { type Reward, type RewardFiles, readReward } from "./reward.js";
import type { Verdict } from "./types.js";

const OUTPUT_SHOWN = 500;

interface Judged {
  task: Task;
  timeoutSec: number;
  /** From /logs/verifier. */
  rewards: RewardFiles;
  /** Why not all of that could be read. */
  problem: string | null;
}

/** The verdict on what the tests did and left. */
export function judge(
  { task, rewards, problem, timeoutSec }: Judged,
  result: CommandResult,
): Verdict {
  if (result.timedOut) return noReward(`the verifier timed out after ${timeoutSec} s`);
  const { parser } = task.verifier;
  if (parser !== "reward" && parser !== "exit-code")
    return verdictOf(parseTestOutput(parser, result.output));
  const reward = readReward(rewards);
  if (reward) return verdictOf(reward);
  if (problem !== null) return noReward(`/logs/verifier could not be read: ${problem}`);
  return parser === "exit-code" ? byExitCode(result) : missingReward(result);
}

function verdictOf(reward: Reward): Verdict {
  if (!reward.ok) return noReward(reward.problem);
  return { reward: reward.reward, rewards: reward.rewards, error: null };
}

function missingReward({ exitCode, output }: CommandResult): Verdict {
  const end = output.slice(-OUTPUT_SHOWN).trim();
  const what = `the tests wrote no /logs/verifier/reward.txt or reward.json (exit code ${exitCode})`;
  return noReward(end === "" ? what : `${what}: ${end}`);
}

/** If the task allows it, the exit code decides, unless the script could not be started. */
function byExitCode({ exitCode, output }: CommandResult): Verdict {
  if (exitCode === 126 || exitCode === 127)
    return noReward(
      `the tests could not be run (exit code ${exitCode}): ${output.slice(-OUTPUT_SHOWN)}`,
    );
  const reward = exitCode === 0 ? 1 : 0;
  return { reward, rewards: { reward }, error: null };
}

function noReward(error: string): Verdict {
  return { reward: null, rewards: null, error };
}
