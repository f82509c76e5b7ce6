import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Task } from "../interfaces/index.js";
import { listSome, passed, warned } from "./findings.js";
import type { Finding } from "./types.js";

/** A file name with an extension, and the folders before it. */
const NAME =
  /(?<![\w.$/{}*%\\-])\/?(?:[\w.${}-]+\/)*[a-z_][\w-]*(?:\.[\w-]+)*\.[a-z][a-z0-9]{0,4}(?![\w./(*-])/gi;
const WHOLE_NAME = new RegExp(`^${NAME.source}$`, "i");
const STRING = /(["'])((?:(?!\1)[^\\\n])*)\1/g;
/** Paths of the verifier and of the system. */
const OTHER_PATHS = /^\/(tests|logs|solution|dev|proc|sys|usr|bin|sbin|lib|etc|tmp|run)\//;
const SCRATCH = /\bmktemp\b|\btempfile\b|\btmp_path\b/;
/** What precedes the name of a file that a script creates. */
const CREATES = /(?:>|-o|--output|\btee|\btouch|\bcp\b.*|\bmv\b.*)\s*["']?$/;

/** Files that the verifier reads should be named in the instruction. */
export function judgeNamedFiles(task: Task): Finding {
  const parts = task.parts?.list.map((part) => part.task) ?? [task];
  const unnamed = new Set(parts.flatMap(findUnnamed));
  if (unnamed.size === 0) return passed("the instruction names the files that the verifier names");
  return warned(
    `the verifier reads ${listSome([...unnamed])}, which the instruction doesn't name`,
    "An agent can't guess the name of a file.",
    "Name every file that the agent has to write in the instruction; ignore this for the verifier's own files.",
  );
}

function findUnnamed({ verifier, instruction, environment }: Task): string[] {
  const { filesDir, source } = environment;
  const given = [filesDir, source.kind === "build" ? source.contextDir : null];
  const known = new Set(
    [...given, ...verifier.tests.map(({ dir }) => dir)]
      .flatMap((dir) => (dir === null ? [] : namesBelow(dir)))
      .map((name) => basename(name)),
  );
  const isNamed = (name: string) => {
    const [folder, ...rest] = name.replace(/^\/(app\/)?/, "").split("/");
    return (
      instruction.includes(basename(name)) ||
      (rest.length > 0 && instruction.includes(`${folder}/`))
    );
  };
  return [...new Set(scriptsOf(verifier).flatMap(findNames))].filter(
    (name) => !known.has(basename(name)) && !isNamed(name),
  );
}

function scriptsOf({ tests }: Task["verifier"]): { name: string; text: string }[] {
  return tests.flatMap(({ dir, only }) =>
    (only ?? readdirSync(dir))
      .filter((name) => /\.(sh|py)$/.test(name))
      .map((name) => ({ name, text: readFileSync(join(dir, name), "utf8") })),
  );
}

/** The file names in a script that it doesn't create itself. */
export function findNames({ name, text }: { name: string; text: string }): string[] {
  const lines = text.split("\n").map((line) => line.replace(/(^|\s)#.*$/, ""));
  const isPython = name.endsWith(".py");
  const found = isPython ? lines.flatMap(namesInPython) : lines.flatMap(namesInShell);
  const own = new Set(found.filter(({ created }) => created).map((one) => basename(one.name)));
  // With a scratch folder of its own, relative names may be in there.
  const isSure = SCRATCH.test(text) ? (one: string) => one.startsWith("/") : () => true;
  return [...new Set(found.map((one) => one.name))].filter(
    (one) => isSure(one) && !own.has(basename(one)) && !OTHER_PATHS.test(one),
  );
}

interface Found {
  name: string;
  created: boolean;
}

/** What is below a variable is in a folder of the script's own. */
function namesInShell(line: string): Found[] {
  return [...line.matchAll(NAME)].map((match) => ({
    name: match[0],
    created: match[0].includes("$") || CREATES.test(line.slice(0, match.index)),
  }));
}

/** Only whole strings: `os.path` isn't a file. */
function namesInPython(line: string): Found[] {
  return [...line.matchAll(STRING)].flatMap(([, , text = ""]) =>
    WHOLE_NAME.test(text) && !text.includes("{") ? [{ name: text, created: false }] : [],
  );
}

function namesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" });
}
