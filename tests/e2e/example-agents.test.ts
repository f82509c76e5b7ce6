import { expect, it } from "vitest";
import { agentFile, eachSandbox, exampleAgent, HELLO, termRun } from "./cli.js";

const AGENTS = [
  { name: "bash", agent: exampleAgent("bash/agent.sh") },
  { name: "the folder of the bash one", agent: exampleAgent("bash") },
  { name: "python", agent: exampleAgent("python/agent.py") },
  { name: "a command line", agent: `python3 ${exampleAgent("python/agent.py")}` },
  { name: "typescript", agent: exampleAgent("typescript/agent.ts") },
  { name: "the smallest python agent", agent: agentFile("minimal.py") },
];

eachSandbox("agents", (sandbox) => {
  it.each(AGENTS)("$name passes hello-world", async ({ agent }) => {
    const run = await termRun([HELLO, "--agent", agent, "--sandbox", sandbox]);
    expect(run.stdout).toContain("✓ passed  hello-world.1");
    expect(run.summary().outcomes.passed).toBe(1);
    expect(run.exitCode).toBe(0);
  });
});
