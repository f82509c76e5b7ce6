import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Task } from "../interfaces/index.js";
import { listSome, passed, warned } from "./findings.js";
import type { Finding } from "./types.js";

/** A name with an ending, and the folders before it. */
const NAME =
  /(?<![\w.$/{}*%\\-])\/?(?:[\w.${}-]+\/)*[a-z_][\w-]*(?:\.[\w-]+)*\.[a-z][a-z0-9]{0,4}(?![\w./(*-])/gi;
const WHOLE_NAME = new RegExp(`^${NAME.source}$`, "i");
const STRING = /(["'])((?:(?!\1)[^\\\n])*)\1/g;
/** Places of the verifier's and the system's. */
const OTHER_PLACES = /^\/(tests|logs|solution|dev|proc|sys|usr|bin|sbin|lib|etc|tmp|run)\//;
const SCRATCH = /\bmktemp\b|\btempfile\b|\btmp_path\b/;
/** What stands before the name of a file that a script makes. */
const MAKES = /(?:>|-o|--output|\btee|\btouch|\bcp\b.*|\bmv\b.*)\s*["']?$/;

/** Files that the verifier looks at should be named where the agent can read it. */
export function judgeNamedFiles(task: Task): Finding {
  const parts = task.parts?.list.map((part) => part.task) ?? [task];
  const unnamed = new Set(parts.flatMap(findUnnamed));
  if (unnamed.size === 0) return passed("the instruction names the files that the verifier names");
  return warned(
    `the verifier looks at ${listSome([...unnamed])}, which the instruction doesn't name`,
    "An agent can't know a name that nobody told it.",
    "Name in the instruction what the agent has to write; ignore this for files of the verifier's own.",
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
  const isTold = (name: string) => {
    const [folder, ...rest] = name.replace(/^\/(app\/)?/, "").split("/");
    return (
      instruction.includes(basename(name)) ||
      (rest.length > 0 && instruction.includes(`${folder}/`))
    );
  };
  return [...new Set(scriptsOf(verifier).flatMap(findNames))].filter(
    (name) => !known.has(basename(name)) && !isTold(name),
  );
}

function scriptsOf({ tests }: Task["verifier"]): { name: string; text: string }[] {
  return tests.flatMap(({ dir, only }) =>
    (only ?? readdirSync(dir))
      .filter((name) => /\.(sh|py)$/.test(name))
      .map((name) => ({ name, text: readFileSync(join(dir, name), "utf8") })),
  );
}

/** The file names in a script that it doesn't make itself. */
export function findNames({ name, text }: { name: string; text: string }): string[] {
  const lines = text.split("\n").map((line) => line.replace(/(^|\s)#.*$/, ""));
  const isPython = name.endsWith(".py");
  const found = isPython ? lines.flatMap(namesInPython) : lines.flatMap(namesInShell);
  const own = new Set(found.filter(({ made }) => made).map((one) => basename(one.name)));
  // With a scratch folder of its own, relative names may be in there.
  const isSure = SCRATCH.test(text) ? (one: string) => one.startsWith("/") : () => true;
  return [...new Set(found.map((one) => one.name))].filter(
    (one) => isSure(one) && !own.has(basename(one)) && !OTHER_PLACES.test(one),
  );
}

interface Found {
  name: string;
  made: boolean;
}

/** What is below a variable is in a folder of the script's own. */
function namesInShell(line: string): Found[] {
  return [...line.matchAll(NAME)].map((match) => ({
    name: match[0],
    made: match[0].includes("$") || MAKES.test(line.slice(0, match.index)),
  }));
}

/** Only whole strings: `os.path` is no file. */
function namesInPython(line: string): Found[] {
  return [...line.matchAll(STRING)].flatMap(([, , text = ""]) =>
    WHOLE_NAME.test(text) && !text.includes("{") ? [{ name: text, made: false }] : [],
  );
}

function namesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" });
}
