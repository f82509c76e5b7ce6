import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { lacks } from "../support/tools.js";
import {
  agentFile,
  eachSandbox,
  exampleAgent,
  HELLO,
  hasBubblewrap,
  makePlace,
  termRun,
} from "./cli.js";

const AGENTS = [
  { name: "bash", agent: exampleAgent("bash/agent.sh") },
  { name: "the folder of the bash one", agent: exampleAgent("bash") },
  { name: "python", agent: exampleAgent("python/agent.py") },
  { name: "a command line", agent: `python3 ${exampleAgent("python/agent.py")}` },
  { name: "typescript", agent: exampleAgent("typescript/agent.ts") },
  { name: "the smallest python agent", agent: agentFile("minimal.py") },
  { name: "legacy", agent: exampleAgent("legacy") },
  { name: "planner", agent: exampleAgent("planner") },
];

eachSandbox("agents", (sandbox) => {
  it.each(AGENTS)("$name passes hello-world", async ({ agent }) => {
    const run = await termRun([HELLO, "--agent", agent, "--sandbox", sandbox]);
    expect(run.stdout).toContain("✓ passed  hello-world.1");
    expect(run.summary().outcomes.passed).toBe(1);
    expect(run.exitCode).toBe(0);
  });
});

describe.skipIf(!hasBubblewrap)("agents in compiled languages", () => {
  const passes = async (name: string) => {
    // Built beforehand: a build would count as the agent's time.
    await execa(exampleAgent(`${name}/agent`), { input: "" });
    const run = await termRun([HELLO, "--agent", exampleAgent(name), "--sandbox", "bubblewrap"]);
    expect(run.summary().outcomes.passed).toBe(1);
  };
  const timeout = 600_000;
  it.skipIf(lacks("cargo"))("rust passes hello-world", { timeout }, () => passes("rust"));
  it.skipIf(lacks("go"))("go passes hello-world", { timeout }, () => passes("go"));

  it("the shortest agent on the Python SDK, as the protocol's documents have it", async () => {
    const place = makePlace();
    place.env.PYTHONPATH = exampleAgent("../sdk/python");
    const agent = exampleAgent("../sdk/python/tests/minimal_agent.py");
    const run = await termRun([HELLO, "--agent", agent, "--sandbox", "bubblewrap"], place);
    expect(run.summary().outcomes.passed).toBe(1);
  });
});
