import { readFileSync } from "node:fs";

/** In the order of their dependencies. */
const MODULES = [
  "dom",
  "format",
  "data",
  "ansi",
  "bars",
  "totals",
  "table",
  "tasks",
  "trials",
  "plot",
  "timeline",
  "parts",
  "dialog",
  "main",
];

/** The page's script and style. Modules use each other's exports by name, so joining them is enough. */
export function readAssets(): { script: string; style: string } {
  const script = MODULES.map((name) => withoutModuleSyntax(read(`page/${name}.js`))).join("\n");
  return { script: `"use strict";\n(() => {\n${script}\n})();\n`, style: read("page/style.css") };
}

function withoutModuleSyntax(source: string): string {
  return source
    .replace(/^import [\s\S]*?from "[^"]+";\n/gm, "")
    .replace(/^export (?=const|function|async|let)/gm, "");
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8");
}
