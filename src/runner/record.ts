import { arch, cpus, platform, release, totalmem } from "node:os";
import { FORMAT_VERSION, type LimitsRecord, type RunRecord } from "../events/records.js";
import type { Limits } from "../interfaces/index.js";
import type { JobOptions } from "./job.js";

/** What `run.json` says of a run. */
export function describeRun(options: JobOptions, startedAt: string): RunRecord {
  const { agent, provider, trials } = options;
  const tasks = [...new Set(trials.map((planned) => planned.task))];
  return {
    format_version: FORMAT_VERSION,
    run: options.run,
    started_at: startedAt,
    term_run: options.version,
    agent: { name: agent.name, spec: options.redact(options.agentSpec) },
    sandbox: provider.kind,
    limits: describeLimits(options.limits),
    grade_timeouts: options.gradeTimeouts,
    concurrency: options.concurrency,
    retries: options.retries,
    ...(options.shard ? { shard: options.shard } : {}),
    trials: trials.map(({ trial, task, attempt }) => ({
      trial,
      task: task.name,
      task_digest: task.digest,
      attempt,
    })),
    tasks: tasks.map(({ name, digest, metadata }) => ({
      task: name,
      task_digest: digest,
      metadata,
    })),
    host: {
      platform: platform(),
      release: release(),
      arch: arch(),
      cpus: cpus().length,
      memory_mb: Math.round(totalmem() / 2 ** 20),
      node: process.version,
    },
  };
}

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
