import type { Command } from "commander";
import type { Limits } from "../interfaces/index.js";
import { DEFAULT_OUTPUT_LIMIT } from "../sandbox/choose.js";
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
  return command
    .option("--max-steps <n>", "steps for each trial", wholeNumber(1), 100)
    .option("--max-invalid <n>", "invalid answers in a row that end a trial", wholeNumber(1), 3)
    .option("--step-timeout <sec>", "time for the agent to answer", positive, 300)
    .option("--command-timeout <sec>", "time for a command to end", positive, 180)
    .option("--timeout-multiplier <factor>", "scales the tasks' own time limits", positive, 1)
    .option(
      "--output-limit <bytes>",
      "output of a command that the agent gets to see",
      wholeNumber(1000),
      DEFAULT_OUTPUT_LIMIT,
    )
    .option("--grade-timeouts", "a full reward after a timeout counts as passed");
}

export function limitsOf(flags: LimitFlags): Limits {
  return {
    maxSteps: flags.maxSteps,
    maxInvalid: flags.maxInvalid,
    maxIdle: 3,
    stepTimeoutSec: flags.stepTimeout,
    commandTimeoutSec: flags.commandTimeout,
    timeoutMultiplier: flags.timeoutMultiplier,
    outputLimitBytes: flags.outputLimit,
  };
}

/** For the runner's own work on a task, which nothing but the task's limits should end. */
export function limitsWithoutEnd(): Limits {
  return {
    maxSteps: Number.MAX_SAFE_INTEGER,
    maxInvalid: 1,
    maxIdle: 3,
    stepTimeoutSec: Number.MAX_SAFE_INTEGER,
    commandTimeoutSec: Number.MAX_SAFE_INTEGER,
    timeoutMultiplier: 1,
    outputLimitBytes: DEFAULT_OUTPUT_LIMIT,
  };
}
