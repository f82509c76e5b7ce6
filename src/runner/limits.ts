import type { LimitsRecord } from "../events/index.js";
import type { Limits } from "../interfaces/index.js";

/** The limits of a run unless its plan has others. */
export const DEFAULT_LIMITS: Limits = {
  maxSteps: 100,
  maxInvalid: 3,
  maxIdle: 3,
  stepTimeoutSec: 300,
  commandTimeoutSec: 180,
  timeoutMultiplier: 1,
  outputLimitBytes: 100 * 1024,
};

/** For term-run's own agents, which only the task's limits should stop. */
export const NO_LIMITS: Partial<Limits> = {
  maxSteps: Number.MAX_SAFE_INTEGER,
  maxInvalid: 1,
  stepTimeoutSec: Number.MAX_SAFE_INTEGER,
  commandTimeoutSec: Number.MAX_SAFE_INTEGER,
};

export function describeLimits(limits: Limits): LimitsRecord {
  return {
    max_steps: limits.maxSteps,
    max_invalid: limits.maxInvalid,
    max_idle: limits.maxIdle,
    step_timeout_sec: limits.stepTimeoutSec,
    command_timeout_sec: limits.commandTimeoutSec,
    timeout_multiplier: limits.timeoutMultiplier,
    output_limit_bytes: limits.outputLimitBytes,
  };
}

export function readLimits(record: LimitsRecord): Limits {
  return {
    maxSteps: record.max_steps,
    maxInvalid: record.max_invalid,
    maxIdle: record.max_idle,
    stepTimeoutSec: record.step_timeout_sec,
    commandTimeoutSec: record.command_timeout_sec,
    timeoutMultiplier: record.timeout_multiplier,
    outputLimitBytes: record.output_limit_bytes,
  };
}
