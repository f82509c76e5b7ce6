import { posix } from "node:path";
import type { Document } from "../document.js";
import { Fields } from "../fields.js";
import { readRef } from "../git/commit.js";
import { unreadable } from "../text.js";
import { type Entry, readEntry } from "./entry.js";

/** A list of tasks, with what is said about it. */
export interface Dataset {
  /** null: the file doesn't say. */
  name: string | null;
  version: string | null;
  description: string | null;
  /** How its own tools turn rewards into a score, where the list says so. */
  metrics: string[];
  /** null: what the folder has, which isn't known before it is fetched. */
  count: number | null;
  /** Each throws if its entry is wrong. */
  entries: (() => Entry)[];
}

/** The datasets in a file: `dataset.toml`, a registry of Harbor or Terminal-Bench, or a plain list. */
export function readDatasets(document: Document): Dataset[] {
  const { value } = document;
  if (!Array.isArray(value)) return [readHarborDataset(Fields.of(document))];
  const wrapped = (key: string) =>
    Fields.of({
      ...document,
      value: { [key]: value },
      lineOf: ([, ...path]) => document.lineOf(path),
    });
  if (!value.some(isDataset)) return [readHarborDataset(wrapped("tasks"))];
  return wrapped("datasets")
    .tables("datasets")
    .map((fields) =>
      fields.has("tasks") ? readHarborDataset(fields) : readTerminalBenchDataset(fields),
    );
}

function isDataset(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return "tasks" in value || "github_url" in value;
}

/** Its name stands in a table of its own in TOML, beside the tasks in JSON. */
function readHarborDataset(fields: Fields): Dataset {
  const about = fields.has("dataset") ? fields.table("dataset") : fields;
  const files = fields.tables("files").map((file) => file.string("path"));
  const metrics = fields.tables("metrics").map((metric) => metric.required("type"));
  const entries = fields.tablesOr("tasks", "path");
  return {
    name: about.string("name"),
    version: about.string("version"),
    description: about.string("description"),
    metrics: files.includes("metric.py") ? [...metrics, "metric.py"] : metrics,
    count: entries.length,
    entries: entries.map((entry) => () => readEntry(entry)),
  };
}

/** A folder of a repository, or some of the tasks in it. */
function readTerminalBenchDataset(fields: Fields): Dataset {
  const url = fields.required("github_url");
  const folder = fields.string("dataset_path") ?? ".";
  const commit = fields.string("commit_hash");
  const branch = fields.string("branch");
  const names = fields.has("task_id_subset") ? fields.list("task_id_subset") : null;
  const make = (name: string | null) => (): Entry => {
    const ref = readRef(commit, branch);
    if (ref === null) throw fields.wrong("commit_hash", 'a whole commit id or "head"', commit);
    return {
      name,
      path: posix.join(folder, name ?? ""),
      git: { url, ref },
      digest: null,
      isFolder: name === null,
      fields,
      pathKey: "dataset_path",
      urlKey: "github_url",
    };
  };
  return {
    name: fields.string("name"),
    version: fields.string("version"),
    description: fields.string("description"),
    metrics: [],
    count: names?.length ?? null,
    entries: names === null ? [make(null)] : names.map(make),
  };
}

/** A registry's datasets must have names; a list's needn't. */
export function readNamedDatasets(document: Document): NamedDataset[] {
  return readDatasets(document).map((dataset) => {
    const { name, version } = dataset;
    if (name === null) throw unreadable(`${document.file}: a dataset has no name`);
    return { ...dataset, name, version: version ?? "head" };
  });
}

export interface NamedDataset extends Dataset {
  name: string;
  version: string;
}
