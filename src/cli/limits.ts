import type { Command } from "commander";
import type { Limits } from "../interfaces/index.js";
import { DEFAULT_LIMITS } from "../runner/index.js";
import { positive, wholeNumber } from "./options.js";

export interface LimitFlags {
  maxSteps: number;
  maxInvalid: number;
  stepTimeout: number;
  commandTimeout: number;
  timeoutMultiplier: number;
  outputLimit: number;
  gradeTimeouts?: boolean;
}

/** The rules that decide a score: the same options to run with and to check against. */
export function addLimitOptions(command: Command): Command {
  const own = DEFAULT_LIMITS;
  return command
    .option("--max-steps <n>", "steps for each trial", wholeNumber(1), own.maxSteps)
    .option(
      "--max-invalid <n>",
      "invalid answers in a row that end a trial",
      wholeNumber(1),
      own.maxInvalid,
    )
    .option("--step-timeout <sec>", "time for the agent to answer", positive, own.stepTimeoutSec)
    .option("--command-timeout <sec>", "time for a command to end", positive, own.commandTimeoutSec)
    .option(
      "--timeout-multiplier <factor>",
      "scale the tasks' own time limits",
      positive,
      own.timeoutMultiplier,
    )
    .option(
      "--output-limit <bytes>",
      "how much of a command's output the agent sees",
      wholeNumber(1000),
      own.outputLimitBytes,
    )
    .option("--grade-timeouts", "count a full reward after a timeout as passed");
}

export function limitsOf(flags: LimitFlags): Limits {
  return {
    maxSteps: flags.maxSteps,
    maxInvalid: flags.maxInvalid,
    maxIdle: DEFAULT_LIMITS.maxIdle,
    stepTimeoutSec: flags.stepTimeout,
    commandTimeoutSec: flags.commandTimeout,
    timeoutMultiplier: flags.timeoutMultiplier,
    outputLimitBytes: flags.outputLimit,
  };
}
