import { describe, expect, it } from "vitest";
import { until } from "../support/until.js";
import { agentFile, eachSandbox, HELLO, hasDocker, makePlace, startRun } from "./cli.js";
import { writeTask } from "./tasks.js";
import { expectNoTraces, findContainers, findNetworksAndVolumes, findProcesses } from "./traces.js";

/** The agent, its child and its grandchild in another session; a command and its background job. */
const AGENT_FAMILY = 3;
const COMMANDS = 2;

eachSandbox("SIGKILL of the runner", (sandbox) => {
  it("in mid-command: no container, process or folder is left", async () => {
    const place = makePlace();
    const endless = `sh -c 'sleep 600; : ${place.mark}'`;
    place.env.ASKS = `setsid ${endless} & ${endless}`;
    const agent = agentFile("parent.sh");
    const run = startRun([HELLO, "--agent", agent, "--sandbox", sandbox], place);
    await run.untilEvent("command_started");
    await until(async () => (await countFamily(place.mark)) === AGENT_FAMILY, {
      what: "the agent and its descendants",
    });
    await until(async () => (await countCommands(place.mark)) === COMMANDS, {
      what: "the command and its background job",
    });
    run.kill();
    await run.ended;
    await expectNoTraces(place);
  });

  it("while an agent thinks: nothing is left either", async () => {
    const run = startRun([HELLO, "--agent", agentFile("stubborn.sh"), "--sandbox", sandbox]);
    await run.untilEvent("step_started");
    await until(() => hasAgent(run.place.mark, "stubborn.sh"), { what: "the agent" });
    run.kill();
    await run.ended;
    await expectNoTraces(run.place);
  });
});

describe.skipIf(!hasDocker)("SIGKILL of the runner of a task with services", () => {
  it("leaves no container, network or volume", async () => {
    const place = makePlace();
    place.env.ASKS = "sleep 600";
    const service = "{image: debian:bookworm-slim, command: sleep 600, volumes: ['data:/data']}";
    const task = writeTask(place, "served", {
      "environment/docker-compose.yaml": `services: {one: ${service}, two: ${service}}\nvolumes: {data: }\n`,
    });
    const agent = agentFile("parent.sh");
    const run = startRun([task, "--agent", agent, "--sandbox", "docker"], place);
    await run.untilEvent("command_started");
    expect(await findContainers(place.mark)).toHaveLength(3);
    const { networks, volumes } = await findNetworksAndVolumes(place.mark);
    expect([networks.length, volumes.length]).toEqual([1, 1]);
    run.kill();
    await run.ended;
    await expectNoTraces(place);
  });
});

describe.skipIf(!hasDocker)("SIGKILL of the runner of a task with a list of allowed hosts", () => {
  it("leaves neither the sandbox, nor the way out, nor their network", async () => {
    const place = makePlace();
    place.env.ASKS = "sleep 600";
    const toml = "[verifier]\nreward = 'exit-code'\n[environment]\nallowed_hosts = ['a.test']\n";
    const task = writeTask(place, "listed", { "task.toml": toml });
    const agent = agentFile("parent.sh");
    const run = startRun([task, "--agent", agent, "--sandbox", "docker"], place);
    await run.untilEvent("command_started");
    const names = (await findContainers(place.mark)).flatMap(({ Names }) => Names);
    expect(names).toHaveLength(2);
    expect(names.filter((name) => name.endsWith(".egress"))).toHaveLength(1);
    expect((await findNetworksAndVolumes(place.mark)).networks).toHaveLength(1);
    run.kill();
    await run.ended;
    await expectNoTraces(place);
  });
});

async function hasAgent(mark: string, file: string): Promise<boolean> {
  const processes = await findProcesses(mark);
  return processes.some(({ command }) => /^\S*bash /.test(command) && command.includes(file));
}

async function countFamily(mark: string): Promise<number> {
  const processes = await findProcesses(mark);
  return processes.filter(({ command }) => /^(sleep 600|\S*bash .*parent\.sh) $/.test(command))
    .length;
}

async function countCommands(mark: string): Promise<number> {
  const processes = await findProcesses(mark);
  return processes.filter(({ command }) => /^(\/bin\/)?sh -c sleep 600; :/.test(command)).length;
}
