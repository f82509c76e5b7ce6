import { expect, test } from "vitest";
import { describeDataset, describeDatasets } from "../../src/report/datasets.js";
import { createPalette } from "../../src/report/palette.js";
import type { DatasetFacts } from "../../src/task/catalog.js";

const PLAIN = createPalette(false);

function facts(name: string, version: string, changes: Partial<DatasetFacts> = {}): DatasetFacts {
  const registry = "https://example.com/registry.json";
  return { name, version, description: null, registry, metrics: [], tasks: 3, ...changes };
}

test("a row for each name, with its versions, for each registry", () => {
  const list = [
    facts("org/a", "1.0", { description: "First." }),
    facts("org/a", "2.0", { description: "Second.\u001b[2J", tasks: 1200 }),
    facts("b", "head", { tasks: null, registry: "/r.json" }),
  ];
  expect(describeDatasets(list, 80, PLAIN)).toEqual([
    "https://example.com/registry.json",
    "name   versions  tasks  description",
    "───────────────────────────────────",
    "org/a  1.0, 2.0  1,200  Second.",
    "",
    "/r.json",
    "name  versions  tasks  description",
    "──────────────────────────────────",
    "b     head          –",
  ]);
  expect(describeDatasets([], 80, PLAIN)).toEqual(["the registry lists no datasets"]);
});

test("a dataset and where its tasks are", () => {
  const dataset = facts("org/a", "1.0", { description: "First.", metrics: ["mean"], tasks: 2 });
  const tasks = [
    {
      task: "x",
      path: "t/x",
      git_url: "https://e.com/r.git",
      git_ref: "1".repeat(40),
      digest: null,
    },
    { task: "y", path: "t/y", git_url: null, git_ref: null, digest: null },
  ];
  expect(describeDataset(dataset, tasks, 80, PLAIN)).toEqual([
    "org/a@1.0  2 tasks",
    "First.",
    "registry: https://example.com/registry.json",
    "metrics: mean",
    "",
    "task  path  repository           commit",
    "───────────────────────────────────────────",
    "x     t/x   https://e.com/r.git  1111111111",
    "y     t/y   –                    –",
  ]);
});
