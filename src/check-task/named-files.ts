import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Task } from "../interfaces.js";
import { listSome, passed, warned } from "./findings.js";
import type { Finding } from "./types.js";

/** A path with at least one slash, or a name with an ending, as scripts write them. */
const NAME = /(?<![\w.$/{}*%-])\/?(?:[\w.${}-]+\/)*[\w-][\w.-]*\.[a-z][a-z0-9]{0,4}(?![\w./(*-])/gi;
const OWN_PLACES = /^\/(tests|logs|solution|dev|proc|sys|usr|bin|sbin|lib|etc|tmp|run)\//;
const WRITTEN = /(?:>>?|-o|--output|tee|mktemp\S*|touch)\s*["']?$/;
/** `os.path`, `sys.exit`: parts of a program, not files. */
const PYTHON_MODULES =
  /^(os|sys|re|json|csv|math|time|self|shutil|subprocess|pathlib|socket|sqlite3)\./;

/** Files that the verifier looks at should be named where the agent can read it. */
export function judgeNamedFiles(task: Task): Finding {
  const parts = task.steps?.parts.map((part) => part.task) ?? [task];
  const unnamed = new Set(parts.flatMap(findUnnamed));
  if (unnamed.size === 0) return passed("the instruction names the files that the verifier names");
  return warned(
    `the verifier looks at ${listSome([...unnamed])}, which the instruction doesn't name`,
    "An agent can't know a name that nobody told it.",
    "Name the files in the instruction, unless they are found by looking around.",
  );
}

function findUnnamed({ verifier, instruction }: Task): string[] {
  const own = new Set<string>();
  const scripts: string[] = [];
  for (const { dir, only } of verifier.tests)
    for (const name of only ?? namesBelow(dir)) {
      own.add(basename(name));
      if (/\.(sh|py)$/.test(name) && !name.includes("/"))
        scripts.push(readFileSync(join(dir, name), "utf8"));
    }
  return [...new Set(scripts.flatMap(findNames))].filter(
    (name) => !own.has(basename(name)) && !instruction.includes(basename(name)),
  );
}

/** The file names in a script that it doesn't make itself. */
export function findNames(script: string): string[] {
  const made = new Set<string>();
  const names = new Set<string>();
  for (const line of script.split("\n")) {
    const code = line.replace(/(^|\s)#.*$/, "");
    for (const match of code.matchAll(NAME)) {
      const [name] = match;
      if (OWN_PLACES.test(name) || PYTHON_MODULES.test(name)) continue;
      if (WRITTEN.test(code.slice(0, match.index))) made.add(basename(name));
      names.add(name);
    }
  }
  return [...names].filter((name) => !made.has(basename(name)));
}

function namesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" });
}
