import type { ScalarTag, SchemaOptions } from "yaml";
import { messageOf } from "../../errors.js";
import { type Document, readYaml } from "../document.js";
import { unreadable } from "../text.js";
import type { Path } from "../toml-lines.js";
import { interpolate, VariableNotSet, type Variables } from "./interpolate.js";

/** Keys below these are names of the task's own, so that `x-…` is one as well. */
const NAMES = new Set(["environment", "labels", "args", "annotations", "sysctls", "extra_hosts"]);

/** YAML as Compose reads it: `yes` is a word, `0644` is octal, `<<` merges. */
const INTEGERS: ScalarTag[] = [
  { tag: "tag:yaml.org,2002:int", default: true, test: /^[-+]?0[0-7]+$/, resolve: octal },
  { tag: "tag:yaml.org,2002:int", default: true, test: /^[-+]?\d+$/, resolve: decimal },
];
const customTags: NonNullable<SchemaOptions["customTags"]> = (tags) => [
  ...INTEGERS,
  { tag: "!reset", resolve: () => undefined },
  { tag: "!reset", collection: "seq", resolve: () => [] },
  { tag: "!reset", collection: "map", resolve: () => ({}) },
  { tag: "!override", resolve: (text: string) => text },
  { tag: "!override", collection: "seq", resolve: (node) => node },
  { tag: "!override", collection: "map", resolve: (node) => node },
  ...tags,
];

/**
 * Reads a compose file and fills in its variables. What needs a variable that isn't set is put in
 * `refused`.
 */
export function loadCompose(file: string, variables: Variables, refused: string[]): Document {
  const document = readYaml(file, undefined, { merge: true, customTags });
  const visit = (value: unknown, path: Path): unknown => {
    if (Array.isArray(value)) return value.map((entry, index) => visit(entry, [...path, index]));
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(
        Object.entries(value)
          .filter(([key]) => !key.startsWith("x-") || NAMES.has(String(path.at(-1))))
          .map(([key, entry]) => [key, visit(entry, [...path, key])]),
      );
    return typeof value === "string" ? fill(value, path) : value;
  };
  const fill = (value: string, path: Path): string => {
    if (!value.includes("$")) return value;
    try {
      return interpolate(value, variables);
    } catch (error) {
      const name = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`));
      const line = document.lineOf(path);
      const place = (of: string) =>
        `${of}${line === null ? "" : `:${line}`}: ${name.join("").slice(1)}`;
      if (!(error instanceof VariableNotSet))
        throw unreadable(`${place(file)} ${messageOf(error)}`);
      refused.push(`${place(document.label)} ${error.message}`);
      return "";
    }
  };
  return { ...document, value: visit(document.value ?? {}, []) };
}

function octal(text: string): number {
  const value = Number.parseInt(text.replace(/^[-+]/, ""), 8);
  return text.startsWith("-") ? -value : value;
}

/** A number that JavaScript can't hold stays text. */
function decimal(text: string): number | string {
  return Number.isSafeInteger(Number(text)) ? Number(text) : text;
}
