// What one step costs: term-run's whole step, agent process included, compared with a `docker exec`
// for each command, as other harnesses do it. Everything is measured in one run, alternating, on the
// same engine and image; only the ratios carry over to other machines.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Table from "cli-table3";
import Docker from "dockerode";
import { execa } from "execa";
import { baseImage, ensureBaseImage } from "../scripts/lib/base-image.mjs";
import { ensureEngine } from "../scripts/lib/engine.mjs";
import { runScript } from "../scripts/lib/main.mjs";
import { filterEnvironment, findAgent } from "../src/agent/index.js";
import { planTrials, startRun } from "../src/runner/index.js";
import { openProvider } from "../src/sandbox/index.js";
import { readTask } from "../src/task/read.js";

const ROUNDS = 5;
const STEPS = 100;
const EXECS = 20;
const COMMANDS = { "a builtin (:)": ":", "a process (/bin/true)": "/bin/true" };
const LIMIT_MS = 3;
const LIMIT_RATIO = 25;
const AGENT = fileURLToPath(new URL("agents/repeat.mjs", import.meta.url));
const TASK = fileURLToPath(new URL("../tasks/hello-world", import.meta.url));

interface Method {
  label: string;
  times: number[];
}
type Methods = Record<"bare" | "step" | "api" | "cli", Method>;

await runScript(main, 1);

async function main(options: { signal: AbortSignal }): Promise<number> {
  const stop = await ensureEngine(options);
  try {
    const docker = new Docker();
    await ensureBaseImage(docker, options);
    return await compare(docker);
  } finally {
    await stop();
  }
}

async function compare(docker: Docker): Promise<number> {
  const table = new Table({
    head: ["command", "method", "p50 ms", "p95 ms", "times term-run's"],
    colAligns: ["left", "left", "right", "right", "right"],
    style: { head: [], border: [] },
  });
  const problems: string[] = [];
  for (const [name, command] of Object.entries(COMMANDS)) {
    const methods = await measureMethods(docker, command);
    const own = median(methods.step.times);
    for (const { label, times } of Object.values(methods)) {
      const ratio = median(times) / own;
      table.push([name, label, ms(median(times)), ms(quantile(times, 0.95)), ratio.toFixed(1)]);
    }
    const bare = median(methods.bare.times);
    const over = own - bare;
    const least = (Math.min(median(methods.api.times), median(methods.cli.times)) - bare) / over;
    problems.push(...judge(name, over, least));
  }
  console.log(`\n${table.toString()}`);
  console.log(
    `\nThe limit: at most ${LIMIT_MS} ms (p50) over the command itself, and at least ${LIMIT_RATIO} ` +
      "times less than a docker exec.",
  );
  console.log(problems.length === 0 ? "Passed." : problems.join("\n"));
  return problems.length === 0 ? 0 : 1;
}

function judge(name: string, over: number, least: number): string[] {
  console.log(
    `${name}: a step costs ${ms(over)} ms over the command itself; a docker exec costs ${least.toFixed(0)} times as much`,
  );
  return [
    ...(over > LIMIT_MS ? [`${name}: ${ms(over)} ms over the command itself`] : []),
    ...(least < LIMIT_RATIO ? [`${name}: only ${least.toFixed(1)} times less`] : []),
  ];
}

/** Alternating, so that a noisy minute affects every method alike. */
async function measureMethods(docker: Docker, command: string): Promise<Methods> {
  const methods: Methods = {
    bare: { label: "the command itself, in a shell loop", times: [] },
    step: { label: "term-run: a whole step", times: [] },
    api: { label: "docker exec, through the API", times: [] },
    cli: { label: "docker exec, through the CLI", times: [] },
  };
  const container = await startPlainContainer(docker);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      methods.bare.times.push(await timeBare(container, command));
      methods.step.times.push(...(await timeSteps(command)));
      for (let count = 0; count < EXECS; count++) {
        methods.api.times.push(await timed(() => execThroughApi(container, command)));
        methods.cli.times.push(await timed(() => execThroughCli(container, command)));
      }
    }
  } finally {
    await container.remove({ force: true });
  }
  return methods;
}

/** A trial as a user runs it; a step lasts from one request to the next. */
async function timeSteps(command: string): Promise<number[]> {
  const dir = await mkdtemp(join(tmpdir(), "term-run-bench-"));
  const caller = { ...process.env, BENCH_COMMAND: command, BENCH_STEPS: String(STEPS) };
  const agent = findAgent(AGENT, filterEnvironment(caller, []));
  const { provider } = await openProvider("docker", { defaultImage: baseImage, hardened: false });
  const began: number[] = [];
  try {
    const run = await startRun({
      out: join(dir, "bench"),
      version: "bench",
      agent: { name: agent.name, spec: AGENT },
      provider,
      trials: planTrials([await readTask(TASK)], 1).map((trial) => ({ ...trial, agent })),
      limits: { maxSteps: STEPS + 1 },
    });
    for await (const { type } of run.events())
      if (type === "step_started") began.push(performance.now());
    await run.done;
    // The first step waits for the agent's start.
    return began.slice(2).map((time, at) => time - (began[at + 1] as number));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function startPlainContainer(docker: Docker): Promise<Docker.Container> {
  const Cmd = ["sleep", "infinity"];
  const HostConfig = { AutoRemove: true, Init: true };
  const container = await docker.createContainer({ Image: baseImage, Cmd, HostConfig });
  await container.start();
  return container;
}

/** The time of one command in a loop inside one shell: the least that any harness can reach. */
async function timeBare(container: Docker.Container, command: string): Promise<number> {
  const count = 500;
  const loop = `i=0; while [ $i -lt ${count} ]; do ${command}; i=$((i+1)); done`;
  const empty = await timed(() => execThroughApi(container, ":"));
  return Math.max(0, (await timed(() => execThroughApi(container, loop))) - empty) / count;
}

async function execThroughApi(container: Docker.Container, command: string): Promise<void> {
  const Cmd = ["sh", "-c", command];
  const exec = await container.exec({ Cmd, AttachStdout: true, AttachStderr: true });
  const stream = await exec.start({});
  await new Promise<void>((resolve, reject) =>
    stream.on("end", resolve).on("error", reject).resume(),
  );
  await exec.inspect();
}

function execThroughCli(container: Docker.Container, command: string) {
  return execa("docker", ["exec", container.id, "sh", "-c", command]);
}

async function timed(work: () => PromiseLike<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function ms(value: number): string {
  return value.toFixed(2);
}
