// Imports between the rooms of src/ point one way, and go through a room's index; there are
// no import cycles. Only the last rule applies to the SDK, which has no rooms.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** From the top to the bottom: a room may import only from those after it. */
const ROOMS = [
  "cli",
  "export",
  "report",
  "check-task",
  "check-agent",
  "submission",
  "runner",
  "score",
  "agent",
  "sandbox",
  "task",
  "init",
  "interfaces",
  "events",
  "protocol",
  "leash",
  "process",
  "shell-words.ts",
  "errors.ts",
];
const IMPORT = /(?:from|import\()\s*"(\.[^"]+)"/g;

const problems = ["src", "sdk/typescript/src"].flatMap((folder) => {
  const graph = readGraph(resolve(folder));
  return [...(folder === "src" ? findWrongWays(graph) : []), ...findCycles(graph)];
});
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);

/**
 * The files below a folder and what each imports.
 * @param {string} root
 * @returns {Map<string, string[]>}
 */
function readGraph(root) {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((entry) => entry.endsWith(".ts") && !entry.startsWith("init/templates/"))
    .map((entry) => join(root, entry));
  return new Map(
    files.map((file) => {
      const targets = [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, target = ""]) =>
        resolve(dirname(file), target.replace(/\.js$/, ".ts")),
      );
      return [file, targets];
    }),
  );
}

/** @param {Map<string, string[]>} graph */
function findWrongWays(graph) {
  const root = resolve("src");
  /** @param {string} file */
  const pathOf = (file) => relative(root, file).split("/");
  const found = [];
  for (const [file, targets] of graph)
    for (const target of targets) {
      const [room = ""] = pathOf(file);
      const [other = "", ...inside] = pathOf(target);
      if (room === other) continue;
      const line = `src/${relative(root, file)} must not import src/${relative(root, target)}`;
      if (!ROOMS.includes(room))
        found.push(`src/${room} is missing in ROOMS of scripts/check-imports.mjs`);
      else if (ROOMS.indexOf(other) < ROOMS.indexOf(room))
        found.push(`${line}: it is in a higher room`);
      else if (inside.length > 0 && inside.join("/") !== "index.ts")
        found.push(`${line}: import src/${other}/index.ts instead`);
    }
  return found;
}

/** @param {Map<string, string[]>} graph */
function findCycles(graph) {
  /** @type {Set<string>} */
  const done = new Set();
  /** @type {string[]} */
  const found = [];
  /** @param {string} file @param {string[]} path */
  const visit = (file, path) => {
    const at = path.indexOf(file);
    if (at !== -1) {
      const names = [...path.slice(at), file].map((name) => relative(".", name));
      found.push(`import cycle: ${names.join(" → ")}`);
      return;
    }
    if (done.has(file)) return;
    for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}
