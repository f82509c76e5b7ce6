import { basename } from "node:path";
import PQueue from "p-queue";
import { messageOf, TermRunError } from "../errors.js";
import { FORMAT_VERSION } from "../events/records.js";
import type { Limits, SandboxProvider, Task } from "../interfaces/index.js";
import { makeScratchFolder, removeScratchFolder } from "../sandbox/folder.js";
import { broken, failed, notRun, passed } from "./findings.js";
import { judgeHiding, judgeNop, judgeOracle, judgeReading, judgeSameness } from "./judge.js";
import { judgeDockerfile } from "./leaks.js";
import { judgeNamedFiles } from "./named-files.js";
import { type Progress, trackProgress } from "./progress.js";
import type { Unreadable } from "./read.js";
import { runTrials, TRIALS_OF_A_TASK } from "./trials.js";
import {
  type CheckProgress,
  type CheckReport,
  type Finding,
  POINTS,
  type Point,
  type PointId,
  type TaskReport,
  type TaskStatus,
} from "./types.js";

export interface CheckOptions {
  tasks: Task[];
  unreadable: Unreadable[];
  provider: SandboxProvider;
  concurrency: number;
  limits: Limits;
  onProgress(progress: CheckProgress): void;
  signal: AbortSignal;
}

type Findings = Partial<Record<PointId, Finding>>;

/** Proves tasks, point by point: what can be read off them, then what trials show. */
export async function checkTasks(options: CheckOptions): Promise<CheckReport> {
  const { tasks, provider, signal } = options;
  const began = performance.now();
  const runnable = tasks.filter((task) => refusalOf(task, provider) === null);
  const progress = trackProgress(options.onProgress, runnable.length * TRIALS_OF_A_TASK);
  const dir = await makeScratchFolder("check");
  try {
    const failures = await prepareImages(runnable, options, progress);
    const queue = new PQueue({ concurrency: options.concurrency });
    const schedule = <T>(name: string, work: () => Promise<T>): Promise<T> =>
      queue.add(() => progress.during(name, work)) as Promise<T>;
    const reports = await Promise.all(
      tasks.map((task) =>
        checkTask(task, failures.get(task.name) ?? null, { ...options, dir, schedule }),
      ),
    );
    signal.throwIfAborted();
    const all = [...options.unreadable.map(reportUnreadable), ...reports];
    return summarize(all, provider, performance.now() - began);
  } finally {
    await removeScratchFolder(dir);
  }
}

function refusalOf(task: Task, provider: SandboxProvider): string | null {
  return task.unsupported ?? provider.unsupported(task);
}

async function checkTask(
  task: Task,
  failure: { image: string; error: unknown } | null,
  options: CheckOptions & Parameters<typeof runTrials>[1],
): Promise<TaskReport> {
  const skipped = refusalOf(task, options.provider);
  const findings: Findings = {
    reads: judgeReading(task),
    dockerfile: await judgeDockerfile(task),
    names_files: judgeNamedFiles(task),
  };
  if (skipped === null && failure) findings.builds = explainImage(failure);
  else if (skipped === null) {
    findings.builds = passed(
      task.environment.source.kind === "portable" ? "it needs no image" : "its image is ready",
    );
    const evidence = await runTrials(task, options);
    findings.oracle = judgeOracle(task, evidence);
    findings.nop = judgeNop(evidence);
    findings.same_twice = judgeSameness(evidence);
    findings.hidden = judgeHiding(evidence);
  }
  const points = pointsOf(findings, skipped ?? "the image is missing");
  const status = statusOf(points, skipped);
  return { task: task.name, dir: task.dir, status, skipped, points };
}

/** A build is the task's own affair; a pull is the machine's. */
function explainImage({ image, error }: { image: string; error: unknown }): Finding {
  const hint = error instanceof TermRunError ? error.hint : null;
  if (!image.startsWith("term-run/")) return broken(messageOf(error), hint);
  return failed(
    messageOf(error),
    "Without its image no trial of the task can begin.",
    "Mend the Dockerfile; its build context is the folder that it is in.",
  );
}

/** Builds or pulls what the tasks need; returns the first failure of each task. */
async function prepareImages(
  tasks: Task[],
  { provider, signal }: CheckOptions,
  progress: Progress,
): Promise<Map<string, { image: string; error: unknown }>> {
  const needing = new Map<string, string[]>();
  const failures = new Map<string, { image: string; error: unknown }>();
  await provider.prepare(tasks, {
    signal,
    onStart: (image, names) => {
      needing.set(image, names);
      progress.begin(image);
    },
    onProgress: () => {},
    onFinish: (image, { ok, error }) => {
      progress.end(image);
      if (ok) return;
      for (const name of needing.get(image) ?? [])
        if (!failures.has(name)) failures.set(name, { image, error });
    },
  });
  return failures;
}

function pointsOf(findings: Findings, otherwise: string): Point[] {
  return POINTS.map(({ id, title }) => ({ id, title, ...(findings[id] ?? notRun(otherwise)) }));
}

function statusOf(points: Point[], skipped: string | null): TaskStatus {
  const has = (wanted: Point["status"]) => points.some(({ status }) => status === wanted);
  if (has("failed")) return "failed";
  if (has("infra_error")) return "infra_error";
  return skipped === null ? "passed" : "skipped";
}

function reportUnreadable({ dir, problem }: Unreadable): TaskReport {
  const reads = failed(
    problem,
    "What can't be read can't be run.",
    "Mend what is named here; docs/tasks.md lists every field.",
  );
  const points = pointsOf({ reads }, "it can't be read");
  return { task: basename(dir), dir, status: "unreadable", skipped: null, points };
}

function summarize(tasks: TaskReport[], provider: SandboxProvider, ms: number): CheckReport {
  const count = (wanted: TaskStatus) => tasks.filter(({ status }) => status === wanted).length;
  const points = tasks.flatMap((task) => task.points);
  const totals = {
    passed: count("passed"),
    failed: count("failed"),
    unreadable: count("unreadable"),
    infra_error: count("infra_error"),
    skipped: count("skipped"),
    warnings: points.filter(({ status }) => status === "warning").length,
  };
  return {
    format_version: FORMAT_VERSION,
    sandbox: provider.kind,
    ok: totals.failed + totals.unreadable + totals.infra_error === 0,
    totals,
    duration_sec: Math.round(ms) / 1000,
    tasks,
  };
}
