import { basename } from "node:path";
import { parse as parseToml, TomlError } from "smol-toml";
import {
  type DocumentOptions,
  LineCounter,
  type ParseOptions,
  parseDocument,
  type SchemaOptions,
} from "yaml";
import { messageOf } from "../errors.js";
import { readText, unreadable } from "./text.js";
import { findTomlLine, type Path } from "./toml-lines.js";

/** What a file says, and where it says it. */
export interface Document {
  file: string;
  /** The file's name for warnings about its task, whose folder is known there. */
  label: string;
  value: unknown;
  lineOf(path: Path): number | null;
}

export function readToml(file: string, text = readText(file)): Document {
  try {
    const value = parseToml(text);
    return { file, label: basename(file), value, lineOf: (path) => findTomlLine(text, path) };
  } catch (error) {
    const place = error instanceof TomlError ? `:${error.line}:${error.column}` : "";
    throw unreadable(`${file}${place}: ${firstLine(error)}`);
  }
}

type Dialect = ParseOptions & DocumentOptions & SchemaOptions;

/** YAML 1.1, in which `yes` and `no` are booleans: what these files are written for. */
const YAML_1_1: Dialect = { version: "1.1" };

export function readYaml(
  file: string,
  text = readText(file),
  dialect: Dialect = YAML_1_1,
): Document {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...dialect, lineCounter: lines, logLevel: "silent" });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw unreadable(`${file}:${line}:${col}: ${firstLine(error)}`);
  }
  const lineOf = (path: Path) => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true) as
        | { range?: [number, number, number] }
        | undefined;
      if (node?.range) return lines.linePos(node.range[0]).line;
    }
    return null;
  };
  try {
    return { file, label: basename(file), value: document.toJS(), lineOf };
  } catch (error) {
    throw unreadable(`${file}: ${firstLine(error)}`);
  }
}

/** JSON is YAML too, and the YAML parser knows line numbers. */
export function readJson(file: string, text = readText(file)): Document {
  let yaml: Document | null = null;
  const lineOf = (path: Path) => {
    yaml ??= readYaml(file, text);
    return yaml.lineOf(path);
  };
  try {
    return { file, label: basename(file), value: JSON.parse(text), lineOf };
  } catch (error) {
    readYaml(file, text);
    throw unreadable(`${file}: not valid JSON: ${firstLine(error)}`);
  }
}

function firstLine(error: unknown): string {
  const [line = ""] = messageOf(error).split("\n");
  return line.replace(/( at line \d+, column \d+)?:?$/, "");
}
