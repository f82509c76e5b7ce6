import { describe, expect, it } from "vitest";
import { parseTestOutput } from "../../src/runner/parsers.js";

const summary = (...lines: string[]) =>
  ["collected 2 items", "====== short test summary info ======", ...lines, "=== 2 passed ==="].join(
    "\r\n",
  );

describe("parseTestOutput", () => {
  it.each([
    [summary("PASSED t.py::test_a", "PASSED t.py::test_b"), 1, 1],
    [summary("PASSED t.py::test_a", "FAILED t.py::test_b - assert 1 == 2"), 0, 0.5],
    [summary("SKIPPED [1] t.py:3: why", "XFAIL t.py::test_b"), 1, 1],
    [summary("XPASS t.py::test_a", "ERROR t.py::test_b"), 0, 0],
    [summary("FAILED t.py::test_a - first - try", "PASSED t.py::test_a - first"), 1, 1],
  ])("reads a pytest summary (%#)", (output, reward, share) => {
    expect(parseTestOutput("pytest", output)).toEqual({
      ok: true,
      reward,
      rewards: { reward, tests_passed: share },
    });
  });

  it.each([
    ["2 passed", "no pytest summary"],
    ["=== short test summary info ===\nall is well", "lists no test"],
  ])("does not take %j for a pass", (output, why) => {
    expect(parseTestOutput("pytest", output)).toEqual({
      ok: false,
      problem: expect.stringContaining(why),
    });
  });

  it.each([
    ["swebench", "SWEBench results starts here\nPASSED\nSWEBench results ends here", 1],
    ["swebench", "SWEBench results starts here\nFAILED\nSWEBench results ends here", 0],
    ["sweperf", "SWE-Perf results starts here PASSED SWE-Perf results ends here", 1],
    ["mlebench", "MLEBench results starts here\nALL TESTS PASSED\nMLEBench results ends here", 1],
    ["mlebench", "MLEBench results starts here\nPASSED\nMLEBench results ends here", 0],
    ["swelancer", "... SWE Lancer SUCCESS", 1],
    ["swelancer", "user_tool ran, completed", 1],
    ["swelancer", "swe lancer failure: user_tool completed", 0],
  ] as const)("reads %s: %j", (parser, output, reward) => {
    expect(parseTestOutput(parser, output)).toMatchObject({ ok: true, reward });
  });

  it("needs the markers", () => {
    expect(parseTestOutput("swebench", "PASSED")).toMatchObject({ ok: false });
  });
});
