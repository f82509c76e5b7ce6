import { describe, expect, it } from "vitest";
import { findNames } from "../../src/check-task/named-files.js";

describe("the files that a script reads", () => {
  it.each([
    ["[ -f hello.txt ] || exit 1", ["hello.txt"]],
    ['cmp -s "out/report.csv" /tests/expected.csv', ["out/report.csv"]],
    ["test -f /app/result.json # not notes.txt", ["/app/result.json"]],
    ['fail "there is no a.log in $(pwd)"', ["a.log"]],
    ["echo 0 >/logs/verifier/reward.txt", []],
    ["sort in.txt >own.txt; cmp own.txt in.txt", ["in.txt"]],
    ['cat "$work/x.txt"; ls x.txt', []],
    ["work=$(mktemp -d); cat a.txt /app/b.txt", ["/app/b.txt"]],
    ["awk '{ print $1.5 }' <<<1.2.3; ls *.txt", []],
  ])("in shell: %j", (text, names) => {
    expect(findNames({ name: "test.sh", text })).toEqual(names);
  });

  it.each([
    ["import os.path\nassert os.path.exists('/app/hello.txt')", ["/app/hello.txt"]],
    ['Path("out") / "data.json"', ["data.json"]],
    ["json.load(self.file)", []],
    ['print(f"see {name}.txt for more")', []],
  ])("in Python: %j", (text, names) => {
    expect(findNames({ name: "test_outputs.py", text })).toEqual(names);
  });
});
