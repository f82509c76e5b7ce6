import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { TermRunError } from "../errors.js";
import { FORMAT_VERSION, readRun, type StoredRun, writeJson } from "../events/index.js";
import { listDigests } from "../score/index.js";
import { hashFile, MANIFEST, type Manifest } from "./manifest.js";

/** Copies what a leaderboard needs from a run to a new folder: configuration, results, logs. */
export async function packSubmission(
  runDir: string,
  out: string,
  options: { version: string; now: Date },
): Promise<Manifest> {
  const run = await readRun(runDir);
  refuseUnfinished(run);
  await refuseFull(out);
  const files: Manifest["files"] = {};
  for (const file of await listParts(run)) {
    const target = join(out, file);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(runDir, file), target);
    files[file] = await hashFile(target);
  }
  const manifest: Manifest = {
    format_version: FORMAT_VERSION,
    term_run: options.version,
    submitted_at: options.now.toISOString(),
    run: run.record.run,
    agent: run.record.agent,
    tasks: [...listDigests(run.record)].map(([task, task_digest]) => ({ task, task_digest })),
    files,
  };
  // Last, so that a folder with a manifest is complete.
  await writeJson(join(out, MANIFEST), manifest);
  return manifest;
}

function refuseUnfinished({ dir, record, results, summary }: StoredRun): void {
  if (record.shard)
    throw new TermRunError(
      "usage",
      `${dir} is shard ${record.shard.number} of ${record.shard.of}`,
      {
        hint: "Merge the shards with term-run merge first.",
      },
    );
  const left = record.trials.length - results.length;
  if (summary && !summary.interrupted && left === 0) return;
  const missing = left === 1 ? "1 trial is" : `${left} trials are`;
  throw new TermRunError(
    "usage",
    `${dir} is not a finished run${left > 0 ? `: ${missing} missing` : ""}`,
    { hint: "Finish it with --resume first: a submission must have every trial." },
  );
}

async function refuseFull(out: string): Promise<void> {
  const entries = await readdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new TermRunError("usage", `can't write to ${out}: ${error.message}`);
  });
  if (entries.length > 0)
    throw new TermRunError("usage", `${out} is not empty`, { hint: "Choose a new folder." });
}

/** Files of the run, then of each trial and its earlier tries. What agents left is not copied. */
async function listParts({ dir, record }: StoredRun): Promise<string[]> {
  const trials = new Set(record.trials.map(({ trial }) => trial));
  const folders = (await readdir(join(dir, "trials"))).filter((name) =>
    trials.has(name.replace(/\.try\d+$/, "")),
  );
  return [
    "run.json",
    "summary.json",
    "events.jsonl",
    ...folders
      .sort()
      .flatMap((name) => [`trials/${name}/result.json`, `trials/${name}/events.jsonl`]),
  ].filter((file) => existsSync(join(dir, file)));
}
