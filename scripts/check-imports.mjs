// Imports between the rooms of src/ point one way: from a higher tier to its own or a lower one.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const TIERS = [
  ["protocol", "events", "process", "errors.ts", "interfaces.ts"],
  ["task", "sandbox", "agent", "init"],
  ["score", "runner", "submission", "check-agent", "check-task"],
  ["report", "export"],
  ["cli"],
];
const IMPORT = /(?:from|import\()\s*"(\.[^"]+)"/g;

const root = resolve("src");
const tierOf = (path) =>
  TIERS.findIndex((rooms) => rooms.includes(relative(root, path).split("/")[0]));

let problems = 0;
for (const entry of readdirSync(root, { recursive: true, encoding: "utf8" })) {
  if (!entry.endsWith(".ts")) continue;
  const file = join(root, entry);
  for (const [, target] of readFileSync(file, "utf8").matchAll(IMPORT)) {
    const imported = resolve(dirname(file), target.replace(/\.js$/, ".ts"));
    if (tierOf(file) === -1 || tierOf(imported) > tierOf(file)) {
      console.error(`src/${entry} must not import ${relative(root, imported)}`);
      problems++;
    }
  }
}
if (problems > 0) process.exit(1);
