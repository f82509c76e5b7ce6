import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import picomatch from "picomatch";
import type { FolderPart, Task } from "../interfaces/index.js";
import { DEFAULT_IMAGE, layOut, readIgnore } from "../sandbox/index.js";
import { type Copy, readCopies } from "./dockerfile.js";
import { failed, listSome, passed, warned } from "./findings.js";
import type { Finding } from "./types.js";

/** Shorter files may be alike by chance. */
const MIN_COMPARED_BYTES = 24;
const SECRET_FOLDERS = ["tests", "solution"];
const REASON = "The agent can read everything that is in the image.";
const FIX = "Copy the files that the agent needs one by one, and nothing from tests/ or solution/.";

/** Whether the image contains the tests or the solution. */
export async function judgeDockerfile(task: Task): Promise<Finding> {
  const build = (await layOut(task, DEFAULT_IMAGE).catch(() => null))?.main.build;
  if (!build) return passed("it has no Dockerfile");
  const { contextDir, dockerfile } = build;
  const ignore = await readIgnore(build);
  const files = filesBelow(contextDir).filter((file) => !ignore.leavesOut(file));
  const secrets = findSecrets(task);
  const leaks: string[] = [];
  const doubts: string[] = [];
  for (const copy of readCopies(readFileSync(join(contextDir, dockerfile), "utf8"))) {
    const place = `${dockerfile}:${copy.line}`;
    for (const file of files.filter((name) => isCopied(name, copy))) {
      const path = join(contextDir, file);
      const twin = secrets.paths.has(path) ? path : secrets.byContent.get(contentOf(path));
      if (twin) leaks.push(`${place} copies ${describeTwin(task, path, twin)}`);
    }
    const named = copy.sources.filter((source) => SECRET_FOLDERS.includes(first(source)));
    if (named.length > 0) doubts.push(`${place} copies ${named.join(" ")}`);
  }
  if (leaks.length > 0) return failed(listSome(leaks, 3), REASON, FIX);
  if (doubts.length > 0)
    return warned(
      listSome(doubts, 3),
      "These are the names of folders that the agent must not see, although the content differs.",
      "If they are meant for the agent, rename them.",
    );
  return passed("it copies neither tests nor solution");
}

function isCopied(file: string, { sources }: Copy): boolean {
  const parts = file.split("/");
  const ancestors = parts.map((_, length) => parts.slice(0, length + 1).join("/"));
  return sources.some((source) => {
    const matches = picomatch(source || "**", { dot: true });
    return ancestors.some((path) => matches(path));
  });
}

/** The verifier's and the solution's files: their paths, and hashes of those that are distinctive. */
function findSecrets(task: Task): { paths: Set<string>; byContent: Map<string, string> } {
  const paths = new Set<string>();
  const byContent = new Map<string, string>();
  for (const { verifier, solution } of [
    task,
    ...(task.parts?.list.map((part) => part.task) ?? []),
  ]) {
    for (const path of verifier.tests.flatMap(filesOf)) {
      paths.add(path);
      // Tests often keep a copy of files that the agent was given.
      const name = basename(path);
      const isTest = name === verifier.script || /^test_.*\.py$|_test\.py$/.test(name);
      if (isTest) byContent.set(contentOf(path), path);
    }
    for (const path of solution?.files ? filesOf(solution.files) : []) {
      paths.add(path);
      byContent.set(contentOf(path), path);
    }
  }
  byContent.delete("");
  return { paths, byContent };
}

function filesOf({ dir, only }: FolderPart): string[] {
  const wanted = (file: string) => only === null || only.some((name) => first(file) === name);
  return filesBelow(dir)
    .filter(wanted)
    .map((file) => join(dir, file));
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

function contentOf(path: string): string {
  const content = readFileSync(path);
  return content.length < MIN_COMPARED_BYTES
    ? ""
    : createHash("sha256").update(content).digest("hex");
}

function describeTwin({ dir }: Task, path: string, twin: string): string {
  const name = relative(dir, path);
  return path === twin ? name : `${name}, the same as ${relative(dir, twin)}`;
}

function first(path: string): string {
  return path.split("/")[0] ?? "";
}
