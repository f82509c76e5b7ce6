import { existsSync } from "node:fs";
import { mkdir, readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { messageOf } from "../errors.js";
import { type Emit, type Redactor, writeJson } from "../events/index.js";
import type {
  Artifact,
  Download,
  DownloadLimits,
  LeftOut,
  Sandbox,
  Task,
} from "../interfaces/index.js";
import { describeLoss } from "./loss.js";

/** Collected from every sandbox, whether or not the task declares it. */
const ALWAYS: Artifact = {
  source: "/logs/artifacts",
  destination: null,
  exclude: [],
  service: "main",
};

interface Collected {
  source: string;
  destination: string;
  type: "file" | "directory" | null;
  status: "ok" | "empty" | "failed" | "skipped";
  service: string;
  /** Why it failed, or why there isn't more. */
  reason?: string;
  /** What of it was not kept: how much, and the first of it. */
  left_out?: { count: number; entries: LeftOut[] };
}

/** Removes secrets as artifacts are copied; null if that is done later. */
type Cleaning = Redactor | null;

interface CollectOptions {
  emit: Emit;
  signal: AbortSignal;
  limits: DownloadLimits;
  redactor: Cleaning;
}

/**
 * Copies the artifacts that the task declares to a host folder. It is best effort: no score depends
 * on it, so no failure here ends a trial.
 */
export async function collectArtifacts(
  task: Task,
  sandbox: Sandbox,
  dir: string,
  options: CollectOptions,
): Promise<void> {
  await runHooks(task, sandbox, options);
  const collected: Collected[] = [];
  const taken = new Set<string>();
  for (const artifact of [ALWAYS, ...task.artifacts]) {
    const destination = artifact.destination ?? artifact.source.replace(/^\/+/, "");
    const entry = { source: artifact.source, destination, service: artifact.service };
    if (taken.has(destination)) {
      collected.push({ ...entry, type: null, status: "skipped" });
      continue;
    }
    taken.add(destination);
    const end = await collectOne(artifact, sandbox, join(dir, destination), options);
    collected.push({ ...entry, ...end });
  }
  const worthNoting = collected.filter(({ source, status }) =>
    source === ALWAYS.source ? status === "ok" : true,
  );
  if (worthNoting.length === 0) return;
  const manifest = options.redactor?.value(worthNoting) ?? worthNoting;
  await writeJson(join(dir, "manifest.json"), manifest);
}

async function collectOne(
  artifact: Artifact,
  sandbox: Sandbox,
  target: string,
  { emit, limits, redactor }: CollectOptions,
): Promise<Pick<Collected, "type" | "status" | "reason" | "left_out">> {
  let download: Download;
  try {
    download = await sandbox.download(artifact.source, dirname(target), {
      as: basename(target),
      exclude: artifact.exclude,
      service: artifact.service,
      limits,
      ...(redactor ? { redactor } : {}),
    });
  } catch (error) {
    const reason = messageOf(error);
    emit({ type: "note", text: `${artifact.source} could not be copied: ${reason}` });
    return { type: null, status: "failed", reason };
  }
  const note = describeLoss(artifact.source, download);
  if (note) emit({ type: "note", text: note });
  const { leftOutCount: count, leftOut: entries, problem } = download;
  const loss = {
    ...(problem === null ? {} : { reason: problem }),
    ...(count === 0 ? {} : { left_out: { count, entries } }),
  };
  if (!existsSync(target)) return { type: null, status: problem ? "failed" : "empty", ...loss };
  if (!(await stat(target)).isDirectory()) return { type: "file", status: "ok", ...loss };
  const isEmpty = (await readdir(target)).length === 0;
  return { type: "directory", status: isEmpty ? "empty" : "ok", ...loss };
}

/** A hook that fails is only noted in the log. */
async function runHooks(
  task: Task,
  sandbox: Sandbox,
  { emit, signal }: CollectOptions,
): Promise<void> {
  for (const { command, service, timeoutSec, user } of task.verifier.collect) {
    const options = { timeoutMs: timeoutSec * 1000, signal, user, service };
    const problem = await sandbox
      .exec(command, { ...options, ...(service === "main" ? { cwd: sandbox.workdir } : {}) })
      .then(
        ({ exitCode, output }) => (exitCode === 0 ? null : `exit code ${exitCode}: ${output}`),
        messageOf,
      );
    signal.throwIfAborted();
    if (problem) emit({ type: "note", text: `a collect hook failed (${command}): ${problem}` });
  }
}

/** Creates the folder for artifacts. */
export async function artifactsFolder(trialDir: string, part: string | null): Promise<string> {
  const dir = join(trialDir, ...(part ? ["steps", part] : []), "artifacts");
  await mkdir(dir, { recursive: true });
  return dir;
}
