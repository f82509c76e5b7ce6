import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Task } from "../interfaces/index.js";
import { hideAll, type Leash } from "../leash/index.js";
import { cacheFolder } from "../task/index.js";
import type { RunPlan } from "./types.js";

const RUNS = "runs";

/** The leash of a run's programs: its tasks and all runs are out of their sight. */
export function leashFor({ leash, agent, trials, out }: RunPlan): Leash | null {
  if (leash?.kind !== "bubblewrap") return null;
  const tasks = [...new Set(trials.map(({ task }) => task))];
  const folders = [...new Set(tasks.flatMap(foldersOf))];
  const repositories = new Set(folders.flatMap(findHistory));
  const started = agent.cwd ?? process.cwd();
  const runs = [out, ...listRuns(dirname(out)), join(started, RUNS)];
  const hidden = [...folders, ...repositories, ...runs, cacheFolder()];
  return { bwrap: leash.bwrap, hidden: hideAll(hidden, [started, process.cwd()]) };
}

/** A task's own folder, and where else its tests and solution are. */
function foldersOf({ dir, verifier, solution, parts }: Task): string[] {
  return [
    dir,
    ...verifier.tests.map((tests) => tests.dir),
    ...(solution?.files ? [solution.files.dir] : []),
    ...(parts?.list.flatMap((part) => foldersOf(part.task)) ?? []),
  ];
}

/** What git keeps of the tasks: every version of their tests and solutions. */
function findHistory(folder: string): string[] {
  for (let dir = resolve(folder); ; dir = dirname(dir)) {
    const git = join(dir, ".git");
    if (existsSync(git)) return [git, ...findSharedHistory(git)];
    if (dir === dirname(dir)) return [];
  }
}

/** Of a work tree or a submodule, whose `.git` is a file that says where the rest is. */
function findSharedHistory(git: string): string[] {
  if (!statSync(git).isFile()) return [];
  const [, target = ""] = /^gitdir: (.*)$/m.exec(readFileSync(git, "utf8")) ?? [];
  const dir = resolve(dirname(git), target);
  const common = join(dir, "commondir");
  return [dir, ...(existsSync(common) ? [resolve(dir, readFileSync(common, "utf8").trim())] : [])];
}

/** The folder that runs are in by default is theirs as a whole. */
function listRuns(dir: string): string[] {
  if (basename(dir) === RUNS) return [dir];
  const names = existsSync(dir) ? readdirSync(dir) : [];
  return names.map((name) => join(dir, name)).filter((run) => existsSync(join(run, "run.json")));
}
