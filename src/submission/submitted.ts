import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { TermRunError } from "../errors.js";
import { readJson, readRun } from "../events/index.js";
import type { SubmittedRun } from "../score/index.js";
import { MANIFEST, type Manifest } from "./manifest.js";

const SKIPPED = new Set(["node_modules", ".git"]);

/** The runs and submissions at or below these folders. */
export async function readSubmittedRuns(paths: readonly string[]): Promise<SubmittedRun[]> {
  const dirs = new Set<string>();
  for (const path of paths) {
    const found = await findRuns(resolve(path));
    if (found.length === 0)
      throw new TermRunError("usage", `there is no run in ${path}`, {
        hint: "Name the folder of a run or of a submission, or a folder of such folders.",
      });
    for (const dir of found) dirs.add(dir);
  }
  const runs: SubmittedRun[] = [];
  for (const dir of dirs) runs.push(await readSubmittedRun(dir));
  return runs;
}

async function readSubmittedRun(dir: string): Promise<SubmittedRun> {
  const { record, results } = await readRun(dir);
  const manifest = await readJson<Manifest>(join(dir, MANIFEST));
  const submittedAt = manifest?.submitted_at ?? record.started_at;
  if (Number.isNaN(Date.parse(submittedAt)))
    throw new TermRunError("usage", `${dir}: "${submittedAt}" is not a valid submission time`);
  return { record, results, submittedAt };
}

async function findRuns(dir: string): Promise<string[]> {
  if (existsSync(join(dir, "run.json"))) return [dir];
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name));
  const found: string[] = [];
  for (const folder of folders.sort((a, b) => (a.name < b.name ? -1 : 1)))
    found.push(...(await findRuns(join(dir, folder.name))));
  return found;
}
