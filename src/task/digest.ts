import { createHash } from "node:crypto";
import { closeSync, openSync, readlinkSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import ignore from "ignore";
import { messageOf } from "../errors.js";
import { entriesIn, readTextIfExists, unreadable } from "./text.js";

const NOISE = /^(__pycache__|\.DS_Store|.*\.(pyc|swp|swo)|.*~)$/;
const PACKAGED = ["task.toml", "instruction.md", "README.md"];
const PACKAGED_FOLDERS = ["environment", "tests", "solution", "steps"];
const CHUNK = Buffer.allocUnsafe(256 * 1024);

/** SHA-256 over names and contents of the files at these paths below a folder, in a fixed order. */
export async function digestFolder(dir: string, only?: string[]): Promise<string> {
  return lazyDigest(dir, only)();
}

/** The same when it is first asked for: hashing is most of the work of reading a task. */
export function lazyDigest(dir: string, only: string[] = [""]): () => string {
  let digest: string | null = null;
  return () => {
    digest ??= digestOf(
      only.flatMap((name) => [...filesBelow(dir, name)]),
      (file) => (file.link ? hashOf(readlinkSync(join(dir, file.name))) : hashFile(dir, file.name)),
    );
    return digest;
  };
}

/** The digest that a dataset file gives for a task: its own choice of files, links followed. */
export function packageDigest(dir: string): string {
  const rules = readTextIfExists(join(dir, ".gitignore"));
  const ignored = rules === null ? null : ignore().add(rules);
  const folders = PACKAGED_FOLDERS.flatMap((name) => [...filesBelow(dir, name, ignored === null)]);
  const files = [...PACKAGED.map((name) => ({ name, link: false })), ...folders].filter(
    ({ name }) =>
      !ignored?.ignores(name) &&
      statSync(join(dir, name), { throwIfNoEntry: false })?.isFile() === true,
  );
  return digestOf(files, ({ name }) => hashFile(dir, name));
}

interface Found {
  name: string;
  link: boolean;
}

function digestOf(files: Found[], hash: (file: Found) => string): string {
  const total = createHash("sha256");
  files.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const file of files) total.update(`${file.name}\0${hash(file)}\n`);
  return total.digest("hex");
}

function* filesBelow(dir: string, name: string, skipNoise = true): Generator<Found> {
  if (name !== "") {
    const info = statSync(join(dir, name), { throwIfNoEntry: false });
    if (info?.isFile()) yield { name, link: false };
    if (!info?.isDirectory()) return;
  }
  for (const entry of entriesIn(join(dir, name))) {
    if (skipNoise && NOISE.test(entry.name)) continue;
    const child = name === "" ? entry.name : `${name}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(dir, child, skipNoise);
    else if (entry.isSymbolicLink()) yield { name: child, link: true };
    else if (entry.isFile()) yield { name: child, link: false };
  }
}

/** In chunks: the files of a task may be larger than memory. */
function hashFile(dir: string, name: string): string {
  const path = join(dir, name);
  const hash = createHash("sha256");
  let file: number | null = null;
  try {
    file = openSync(path, "r");
    for (;;) {
      const length = readSync(file, CHUNK);
      if (length > 0) hash.update(CHUNK.subarray(0, length));
      if (length < CHUNK.length) return hash.digest("hex");
    }
  } catch (error) {
    throw unreadable(`${path} can't be read: ${messageOf(error)}`);
  } finally {
    if (file !== null) closeSync(file);
  }
}

function hashOf(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}
