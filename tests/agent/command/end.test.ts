import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentProcess } from "../../../src/agent/command/process.js";
import { resolveAgent } from "../../../src/agent/command/resolve.js";
import { LEASHES } from "../../support/leashes.js";
import { environmentFor } from "../bench.js";
import { isAlive, processesIn, until, useBench } from "../support.js";

describe.each(LEASHES)("$name", ({ leash }) => {
  const bench = useBench();
  let stderr: string[] = [];

  function start(source: string): AgentProcess {
    stderr = [];
    const agent = new AgentProcess({
      command: resolveAgent(bench.write("agent.sh", source)),
      env: environmentFor().env,
      leash,
      watchdog: bench.watchdog,
      onStderr: (line) => {
        stderr.push(line);
        return line;
      },
    });
    bench.releases.push(() => agent.end({ gentle: false }));
    return agent;
  }

  const ready = () => until(() => stderr.includes("ready"));

  describe("the end of an agent's process", () => {
    it.each([true, false])(
      "leaves no process behind, however it hides (gentle: %s)",
      async (gentle) => {
        const agent = start(`cd ${bench.dir}
sleep 301 & echo $! >> pids
setsid sh -c 'echo $$ >> pids; exec sleep 302' &
setsid env -i sh -c 'echo $$ >> pids; exec sleep 303' &
(setsid nohup sh -c 'trap "" TERM HUP; echo $$ >> pids; while :; do sleep 1; done' >/dev/null 2>&1 &)
echo $$ >> pids
read -r line`);
        await until(() => bench.read("pids").trim().split("\n").length === 5);
        const pids = processesIn(bench.dir);
        expect(pids.length).toBeGreaterThanOrEqual(5);
        await agent.end({ gentle });
        await until(() => !pids.some(isAlive));
        expect(processesIn(bench.dir)).toEqual([]);
      },
    );

    it("comes by SIGKILL if SIGTERM is ignored", async () => {
      const agent = start(`trap "" TERM; echo ready >&2; while :; do sleep 1; done`);
      await ready();
      expect(await agent.end({ gentle: false })).toEqual({ exitCode: null, signal: "SIGKILL" });
    });

    it("leaves time to clean up if it is gentle", async () => {
      const agent = start(`read -r line; sleep 1; touch ${bench.dir}/clean; exit 5`);
      expect(await agent.end({ gentle: true })).toEqual({ exitCode: 5, signal: null });
      expect(existsSync(join(bench.dir, "clean"))).toBe(true);
    });

    it("comes once, however often it is asked for", async () => {
      const agent = start("read -r line; exit 6");
      const ends = [agent.end({ gentle: true }), agent.end({ gentle: false })];
      expect(await Promise.all(ends)).toEqual(Array(2).fill({ exitCode: 6, signal: null }));
      expect(await agent.end({ gentle: false })).toEqual({ exitCode: 6, signal: null });
    });

    it("comes after the last of stderr was read", async () => {
      const agent = start(
        "trap 'printf cleaned >&2; exit 7' TERM; echo ready >&2; while :; do sleep 0.1; done",
      );
      await ready();
      expect(await agent.end({ gentle: false })).toEqual({ exitCode: 7, signal: null });
      expect(agent.stderr).toMatch(/cleaned$/);
    });
  });
});
