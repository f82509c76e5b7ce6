import { type ErrorRecord, FORMAT_VERSION } from "../events/index.js";
import type { Limits, SandboxProvider, Task } from "../interfaces/index.js";
import { NO_LIMITS, startRun } from "../runner/index.js";
import { findRefusal } from "../sandbox/index.js";
import type { Unreadable } from "../task/index.js";
import { type Evidence, gatherEvidence, type ImageFailure } from "./evidence.js";
import { broken, failed, notRun, passed } from "./findings.js";
import { judgeConsistency, judgeHiding, judgeNop, judgeOracle, judgeReading } from "./judge.js";
import { judgeDockerfile } from "./leaks.js";
import { judgeNamedFiles } from "./named-files.js";
import { planCheckTrials } from "./trials.js";
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
  /** A folder for the trials' files. */
  out: string;
  version: string;
  concurrency: number;
  limits?: Partial<Limits>;
  onProgress(progress: CheckProgress): void;
  signal: AbortSignal;
}

type Findings = Partial<Record<PointId, Finding>>;

/** Checks tasks, point by point: first their files, then what trials show. */
export async function checkTasks(options: CheckOptions): Promise<CheckReport> {
  const { tasks, provider, signal } = options;
  const began = performance.now();
  const { evidence, failures } = await runCheckTrials(options);
  signal.throwIfAborted();
  const reports: TaskReport[] = options.unreadable.map(reportUnreadable);
  for (const task of tasks)
    reports.push(
      await reportTask(task, {
        skipped: refusalOf(task, provider),
        failure: failures.get(task.name) ?? null,
        evidence: evidence.get(task.name) ?? null,
      }),
    );
  return summarize(reports, provider, performance.now() - began);
}

/** Runs each task with its own solution, with nothing done, and with a probe for leaks. */
async function runCheckTrials(options: CheckOptions): ReturnType<typeof gatherEvidence> {
  const { tasks, provider, out, version, concurrency, signal } = options;
  const run = await startRun({
    out,
    version,
    agent: { name: "check", spec: "check" },
    provider,
    trials: planCheckTrials(tasks.filter((task) => refusalOf(task, provider) === null)),
    limits: { ...NO_LIMITS, ...options.limits },
    concurrency,
    retries: 1,
    signal,
  });
  const found = await gatherEvidence(run.events(), options.onProgress);
  await run.done;
  return found;
}

function refusalOf(task: Task, provider: SandboxProvider): string | null {
  return task.unsupported ?? findRefusal(task, provider);
}

async function reportTask(
  task: Task,
  found: { skipped: string | null; failure: ImageFailure | null; evidence: Evidence | null },
): Promise<TaskReport> {
  const { skipped, failure, evidence } = found;
  const findings: Findings = {
    reads: judgeReading(task),
    dockerfile: await judgeDockerfile(task),
    names_files: judgeNamedFiles(task),
  };
  if (failure) findings.builds = explainImage(failure);
  else if (evidence) {
    findings.builds = passed(
      task.environment.source.kind === "portable" ? "it needs no image" : "its image is ready",
    );
    findings.oracle = judgeOracle(task, evidence);
    findings.nop = judgeNop(evidence);
    findings.same_twice = judgeConsistency(evidence);
    findings.hidden = judgeHiding(evidence);
  }
  const points = pointsOf(findings, skipped ?? "the image is missing");
  const status = statusOf(points, skipped);
  return { task: task.name, dir: task.dir, status, skipped, points };
}

/** A failed build is the task's fault; a failed pull is the machine's. */
function explainImage({ image, error }: ImageFailure): Finding {
  const { message, hint }: Pick<ErrorRecord, "message" | "hint"> = error ?? {
    message: `the image ${image} is missing`,
    hint: null,
  };
  if (!image.startsWith("term-run/")) return broken(message, hint);
  return failed(
    message,
    "Without its image no trial of the task can start.",
    "Fix the Dockerfile; its build context is the folder that it is in.",
  );
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

function reportUnreadable({ task, dir, problem }: Unreadable): TaskReport {
  const reads = failed(
    problem,
    "What can't be read can't be run.",
    "Fix the problem named here; docs/tasks.md lists every field.",
  );
  const points = pointsOf({ reads }, "it can't be read");
  return { task, dir, status: "unreadable", skipped: null, points };
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
