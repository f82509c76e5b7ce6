import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { makeFolder, writeRun } from "../report/stored-run.js";
import { HELLO, makePlace, QUICK } from "./cli.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SCRIPT = join(ROOT, "scripts/action/run.sh");
const action = parse(readFileSync(join(ROOT, "action.yml"), "utf8"));
const step = action.runs.steps.find(({ id }: { id?: string }) => id === "run");

/** Runs the step as GitHub would: with default values, and inputs as variables. */
async function runStep(inputs: Record<string, string>, dir: string) {
  const values: Record<string, string> = { ...defaults(), ...inputs };
  const env = Object.fromEntries(
    Object.entries(step.env as Record<string, string>).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, input) => values[input] ?? ""),
    ]),
  );
  const output = join(dir, "github-output");
  const github = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(dir, "summary.md") };
  writeFileSync(output, "");
  const ended = await execa("bash", [SCRIPT], {
    cwd: dir,
    env: { ...env, ...github, GITHUB_OUTPUT: output, ACTION_PATH: ROOT },
    reject: false,
    stdin: "ignore",
  });
  const outputs = Object.fromEntries(
    readFileSync(output, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => line.split("=")),
  );
  return { ...ended, outputs };
}

function defaults(): Record<string, string> {
  const inputs = Object.entries(action.inputs as Record<string, { default?: string }>);
  return Object.fromEntries(inputs.map(([name, input]) => [name, input.default ?? ""]));
}

test("inputs reach scripts as variables only", () => {
  const scripts = action.runs.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  expect(scripts).toHaveLength(3);
  for (const script of scripts) expect(script).not.toContain("${{");
  const given = Object.entries(step.env as Record<string, string>).filter(([name]) =>
    name.startsWith("INPUT_"),
  );
  const elsewhere = ["artifact", "comment", "node-version"];
  expect(given.map(([, text]) => text.slice("${{ inputs.".length, -" }}".length)).sort()).toEqual(
    Object.keys(action.inputs)
      .filter((name) => !elsewhere.includes(name))
      .sort(),
  );
});

describe("the action", () => {
  test("merges shards given by wildcards, and reports the whole run", async () => {
    const dir = makeFolder();
    const shard = (number: number) => ({ record: { shard: { number, of: 2, trials: 2 } } });
    writeRun(join(dir, "shards/part 1"), [{ task: "a" }], shard(1));
    writeRun(join(dir, "shards/part 2"), [{ task: "b", outcome: "failed" }], shard(2));
    const ended = await runStep({ merge: "shards/*", "fail-under": "80%", out: "all" }, dir);
    expect(ended.stderr).toBe("");
    expect(ended.exitCode).toBe(1);
    expect(ended.outputs).toEqual({ "pass-rate": "0.5", passed: "1", scored: "2", results: "all" });
    for (const name of ["junit.xml", "report.md", "report.html"])
      expect(existsSync(join(dir, "all", name))).toBe(true);
    expect(readFileSync(join(dir, "summary.md"), "utf8")).toContain("pass rate 50.0 % (1/2)");
  });

  test.each(["tasks", "agent", "env", "attempts", "fail-under", "merge", "args", "out"])(
    "the value of an input is never executed: %s",
    async (input) => {
      const dir = makeFolder();
      const hostile = '$(touch owned); `touch owned`\n"; touch owned #';
      const ended = await runStep({ tasks: "none", agent: "nop", [input]: hostile }, dir);
      expect(ended.exitCode).toBe(2);
      expect(existsSync(join(dir, "owned"))).toBe(false);
    },
  );

  test.skipIf(QUICK === "")("runs an agent", async () => {
    const { dir } = makePlace();
    const inputs = { tasks: `${HELLO}\n`, agent: "oracle", sandbox: QUICK, args: "--quiet" };
    const ended = await runStep({ ...inputs, env: "A=1\nB=2" }, dir);
    expect(ended.exitCode).toBe(0);
    expect(ended.outputs).toMatchObject({ "pass-rate": "1", passed: "1", scored: "1" });
    expect(existsSync(join(dir, "term-run-results/report.html"))).toBe(true);
  });
});
