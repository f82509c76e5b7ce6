import { describe, expect, it } from "vitest";
import { describeMetrics } from "../../../src/task/registry/metrics.js";
import { parseReference } from "../../../src/task/registry/reference.js";
import { chooseVersion } from "../../../src/task/registry/versions.js";

describe("a reference", () => {
  it.each([
    ["terminal-bench@2.0", { name: "terminal-bench", version: "2.0" }],
    ["terminal-bench-core==0.1.1", { name: "terminal-bench-core", version: "0.1.1" }],
    ["org/name@head", { name: "org/name", version: "head" }],
    ["name@1.0+local", { name: "name", version: "1.0+local" }],
    ["name", { name: "name", version: null }],
  ])("%s", (text, reference) => {
    expect(parseReference(text)).toEqual(reference);
  });

  it.each([
    "",
    "@1",
    "a@",
    "a@@1",
    "a/b/c@1",
    "../a@1",
    "a b@1",
    "git@host:a",
    "-a@1",
    "a@-1",
    "*@1",
  ])("%j is none", (text) => {
    expect(parseReference(text)).toBe(null);
  });
});

describe("without a version", () => {
  it.each([
    [["1.0", "head", "2.0"], "head"],
    [["1.9", "1.10", "1.2"], "1.10"],
    [["v2", "1.0.1", "1"], "v2"],
    [["parity", "1.0", "zeta"], "1.0"],
    [["parity", "zeta", "beta"], "zeta"],
    [[], null],
  ])("of %j it is %s", (versions, chosen) => {
    expect(chooseVersion(versions)).toBe(chosen);
  });
});

describe("metrics", () => {
  it("are compared to the mean reward", () => {
    expect(describeMetrics("a@1", ["mean", "sum", "uv-script", "metric.py"])).toEqual([
      expect.stringMatching(/^a@1 declares the metric mean, .* mean reward/),
      expect.stringMatching(/^a@1 declares the metric sum, .* times/),
      expect.stringMatching(/^a@1 declares the metric uv-script, .*isn't run/),
      expect.stringMatching(/^a@1 declares the metric metric\.py, .*isn't run/),
    ]);
  });
});
