import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Docker from "dockerode";
import { describe, expect, it, onTestFinished } from "vitest";
import { docker as hasDocker, openProvider } from "../sandbox/kinds.js";
import { done, Held, run, runOne, scripted, write } from "../support/trials.js";

describe.runIf(hasDocker)("a container that dies under an agent", () => {
  it.each([
    ["in mid-command", "command_started"],
    ["between two commands", "step_started"],
  ] as const)(
    "%s: an infrastructure error, and the agent is not asked again",
    async (_, moment) => {
      const provider = await openProvider({
        name: "docker",
        kind: "docker",
        image: "",
        bash: true,
      });
      const gate = join(tmpdir(), `dead-container-${process.pid}`);
      onTestFinished(() => rmSync(gate, { force: true }));
      const next = run("sleep 1000");
      const second = moment === "step_started" ? new Held(gate, next) : next;
      let id = "";
      const { result, requests } = await runOne({
        provider,
        agent: scripted(write, second, run("echo spending"), done),
        onEvent: (event) => {
          if (event.type === "sandbox_started") id = event.id;
          if (event.type === moment && event.step === 2)
            void killContainer(id).then(() => writeFileSync(gate, ""));
        },
      });
      expect(result).toMatchObject({ outcome: "infra_error", reward: null, steps: 2 });
      expect(result.error?.message).toMatch(
        /^the container term-run-hello\S+ is no longer running/,
      );
      expect(requests.trim().split("\n")).toHaveLength(2);
    },
  );
});

async function killContainer(id: string): Promise<void> {
  const container = new Docker().getContainer(id);
  const gone = container.wait({ condition: "removed" });
  await container.kill();
  await gone;
}
