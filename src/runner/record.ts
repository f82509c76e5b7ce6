import { arch, cpus, platform, release, totalmem } from "node:os";
import { basename } from "node:path";
import { FORMAT_VERSION, type OriginRecord, type RunRecord } from "../events/index.js";
import type { Limits, TaskOrigin } from "../interfaces/index.js";
import { describeDownloadLimits } from "./download-limits.js";
import { describeLimits } from "./limits.js";
import type { RunPlan } from "./types.js";

/** Content of `run.json`. */
export function describeRun(plan: RunPlan, limits: Limits, startedAt: string): RunRecord {
  const { provider, trials } = plan;
  const tasks = [...new Set(trials.map((planned) => planned.task))];
  return {
    format_version: FORMAT_VERSION,
    run: basename(plan.out),
    started_at: startedAt,
    term_run: plan.version,
    agent: { ...plan.agent, ...(plan.leash ? { leash: plan.leash.kind } : {}) },
    sandbox: provider.kind,
    limits: describeLimits(limits),
    grade_timeouts: plan.gradeTimeouts ?? false,
    concurrency: plan.concurrency ?? 1,
    retries: plan.retries ?? 0,
    ...(plan.image ? { image: plan.image } : {}),
    hardened: plan.hardened ?? false,
    ...(plan.strict ? { strict: true } : {}),
    ...describeDownloadLimits(plan.downloadLimits),
    ...(plan.env?.length ? { env: plan.env } : {}),
    ...(plan.shard ? { shard: plan.shard } : {}),
    ...(plan.unreadable?.length ? { unreadable: plan.unreadable } : {}),
    ...(plan.datasets?.length ? { datasets: plan.datasets } : {}),
    trials: trials.map(({ trial, task, attempt }) => ({
      trial,
      task: task.name,
      task_digest: task.digest,
      attempt,
    })),
    tasks: tasks.map(({ name, dir, digest, metadata, environment, origin }) => ({
      task: name,
      task_digest: digest,
      dir,
      metadata,
      ...(environment.hardened ? { hardened: true } : {}),
      ...(origin ? { origin: describeOrigin(origin) } : {}),
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

function describeOrigin({ dataset, digest, git }: TaskOrigin): OriginRecord {
  return {
    dataset,
    digest,
    git_url: git?.url ?? null,
    git_commit_id: git?.id ?? null,
    path: git?.path ?? null,
  };
}
