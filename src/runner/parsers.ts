import type { RewardParser } from "../interfaces/index.js";
import type { Reward } from "./reward.js";

type Parser = (output: string) => Reward;

export type OutputParser = Exclude<RewardParser, "reward" | "exit-code">;

/** Reads a reward from what tests printed, for tasks whose format has no reward file. */
export function parseTestOutput(parser: OutputParser, output: string): Reward {
  return PARSERS[parser](output.replaceAll("\r", ""));
}

const PARSERS: Record<OutputParser, Parser> = {
  pytest: parsePytest,
  swebench: between("SWEBench results starts here", "SWEBench results ends here", "PASSED"),
  sweperf: between("SWE-Perf results starts here", "SWE-Perf results ends here", "PASSED"),
  mlebench: between(
    "MLEBench results starts here",
    "MLEBench results ends here",
    "ALL TESTS PASSED",
  ),
  swelancer: parseSwelancer,
};

const SUMMARY = /=+ short test summary info =+/i;
const PASSING = new Set(["PASSED", "SKIPPED", "XFAIL"]);
const FAILING = new Set(["FAILED", "ERROR", "XPASS"]);

/** The reward is 1 if all tests pass, else 0; `rewards` has the share that passed. */
function parsePytest(output: string): Reward {
  const found = SUMMARY.exec(output);
  if (!found) return bad("the tests printed no pytest summary (pytest -rA prints one)");
  const results = new Map<string, boolean>();
  for (const line of output.slice(found.index + found[0].length).split("\n")) {
    const [, status = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (PASSING.has(status) || FAILING.has(status))
      results.set(testName(status, rest), PASSING.has(status));
  }
  if (results.size === 0) return bad("the pytest summary lists no tests");
  const passed = [...results.values()].filter(Boolean).length;
  const reward = passed === results.size ? 1 : 0;
  return { ok: true, reward, rewards: { reward, tests_passed: passed / results.size } };
}

function testName(status: string, rest: string): string {
  const cut = status === "FAILED" ? rest.replace(/ - (?!.* - ).*$/, "") : rest;
  const at = cut.indexOf("::");
  return at === -1 ? cut : cut.slice(at + 2);
}

function between(start: string, end: string, wanted: string): Parser {
  return (output) => {
    const from = output.indexOf(start);
    const to = output.indexOf(end, from + start.length);
    if (from === -1 || to === -1) return bad(`the tests did not print "${start}" and "${end}"`);
    return whole(output.slice(from + start.length, to).trim() === wanted);
  };
}

function parseSwelancer(output: string): Reward {
  const text = output.toLowerCase();
  if (text.includes("swe lancer success")) return whole(true);
  if (text.includes("swe lancer failure")) return whole(false);
  return whole(text.includes("user_tool") && text.includes("completed"));
}

function whole(passed: boolean): Reward {
  const reward = passed ? 1 : 0;
  return { ok: true, reward, rewards: { reward } };
}

function bad(problem: string): Reward {
  return { ok: false, problem };
}
