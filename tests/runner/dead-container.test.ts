import Docker from "dockerode";
import { describe, expect, it } from "vitest";
import { docker as hasDocker, openProvider } from "../sandbox/kinds.js";
import { done, run, runOne, scripted, write } from "../support/trials.js";

describe.runIf(hasDocker)("a container that dies under an agent", () => {
  it.each([
    ["in mid-command", "command_started"],
    ["between two commands", "step_started"],
  ] as const)("%s: the machine's failure, and the agent is not asked again", async (_, moment) => {
    const provider = await openProvider({ name: "docker", kind: "docker", image: "", bash: true });
    let id = "";
    const { result, requests } = await runOne({
      provider,
      agent: scripted(write, run("sleep 1000"), run("echo spending"), done),
      onEvent: (event) => {
        if (event.type === "sandbox_started") id = event.id;
        if (event.type === moment && event.step === 2) void new Docker().getContainer(id).kill();
      },
    });
    expect(result).toMatchObject({ outcome: "infra_error", reward: null, steps: 2 });
    expect(result.error?.message).toMatch(/^the container term-run-hello\S+ is gone/);
    expect(requests.trim().split("\n")).toHaveLength(2);
  });
});
