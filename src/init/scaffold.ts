import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf, TermRunError } from "../errors.js";

const TEMPLATES = fileURLToPath(new URL("./templates/", import.meta.url));
const PLACEHOLDER = "__NAME__";
/** Fits npm, cargo and every file system. */
const NAME = /^[a-z][a-z0-9_-]*$/;

export interface Scaffold {
  /** A folder in `templates/`. */
  template: string;
  /** Another one whose files are added. */
  extra?: string | undefined;
  name: string;
  /** The folder that the new one is created in. */
  parent: string;
}

/** Creates a new folder from a template. Returns its path and its files, relative to it. */
export async function scaffold({
  template,
  extra,
  name,
  parent,
}: Scaffold): Promise<{ dir: string; files: string[] }> {
  if (!NAME.test(name))
    throw new TermRunError("usage", `"${name}" can't be used as a name`, {
      hint: "A name begins with a lower-case letter and has only lower-case letters, digits, - and _.",
    });
  const dir = join(parent, name);
  await makeEmptyFolder(dir);
  const files = await copyTemplate(template, dir, name);
  if (extra !== undefined) files.push(...(await copyTemplate(extra, dir, name)));
  return { dir, files: files.sort() };
}

async function copyTemplate(template: string, dir: string, name: string): Promise<string[]> {
  const from = join(TEMPLATES, template);
  const files: string[] = [];
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const source = join(entry.parentPath, entry.name);
    const file = nameOf(source.slice(from.length + 1));
    await copyText(source, join(dir, file), name);
    files.push(file);
  }
  return files;
}

async function makeEmptyFolder(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true });
    if ((await readdir(dir)).length === 0) return;
  } catch (error) {
    throw new TermRunError("usage", `${dir} can't be created: ${messageOf(error)}`, {
      cause: error,
    });
  }
  throw new TermRunError("usage", `${dir} is not empty`, {
    hint: "Choose another name, or another folder with --out.",
  });
}

/** Dotfiles get lost when a package is packed: templates have `_` instead of the dot. */
function nameOf(path: string): string {
  return path.replace(/(^|\/)_(?=[a-z])/g, "$1.");
}

async function copyText(source: string, target: string, name: string): Promise<void> {
  const text = await readFile(source, "utf8");
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, text.replaceAll(PLACEHOLDER, name));
  // Not from the template's own mode, which an installation may change.
  if (text.startsWith("#!")) await chmod(target, 0o755);
}
