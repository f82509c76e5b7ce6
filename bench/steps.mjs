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

const ROUNDS = 5;
const STEPS = 100;
const EXECS = 20;
const COMMANDS = { "a builtin (:)": ":", "a process (/bin/true)": "/bin/true" };
const LIMIT_MS = 3;
const LIMIT_RATIO = 25;

await runScript(main, 1);

async function main(options) {
  const stop = await ensureEngine(options);
  try {
    const docker = new Docker();
    await ensureBaseImage(docker, options);
    return await compare(docker);
  } finally {
    await stop();
  }
}

async function compare(docker) {
  const table = new Table({
    head: ["command", "method", "p50 ms", "p95 ms", "times term-run's"],
    colAligns: ["left", "left", "right", "right", "right"],
    style: { head: [], border: [] },
  });
  const problems = [];
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

function judge(name, over, least) {
  console.log(
    `${name}: a step costs ${ms(over)} ms over the command itself; a docker exec costs ${least.toFixed(0)} times as much`,
  );
  return [
    ...(over > LIMIT_MS ? [`${name}: ${ms(over)} ms over the command itself`] : []),
    ...(least < LIMIT_RATIO ? [`${name}: only ${least.toFixed(1)} times less`] : []),
  ];
}

/** Alternating, so that a noisy minute affects every method alike. */
async function measureMethods(docker, command) {
  const methods = {
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
async function timeSteps(command) {
  const { chooseAgent } = await import("../dist/agent/choose.js");
  const { filterEnvironment } = await import("../dist/agent/environment.js");
  const { chooseSandbox } = await import("../dist/sandbox/choose.js");
  const { EventLog } = await import("../dist/events/log.js");
  const { runTrial } = await import("../dist/runner/trial.js");
  const { readTask } = await import("../dist/task/read.js");
  const { watchdog } = await import("../dist/process/watchdog.js");
  const dir = await mkdtemp(join(tmpdir(), "term-run-bench-"));
  const caller = { ...process.env, BENCH_COMMAND: command, BENCH_STEPS: String(STEPS) };
  const agent = fileURLToPath(new URL("agents/repeat.mjs", import.meta.url));
  const began = [];
  const log = new EventLog({
    path: join(dir, "events.jsonl"),
    redact: (text) => text,
    listen: (event) => {
      if (event.type === "step_started") began.push(performance.now());
    },
  });
  try {
    const outputLimit = 100 * 1024;
    await runTrial({
      trial: "bench.1",
      run: "bench",
      task: await readTask(fileURLToPath(new URL("../tasks/hello-world", import.meta.url))),
      attempt: 1,
      try: 1,
      agent: chooseAgent(agent, filterEnvironment(caller, []), (text) => text),
      provider: await chooseSandbox("docker", { defaultImage: baseImage, outputLimit }),
      limits: {
        maxSteps: STEPS + 1,
        maxInvalid: 1,
        maxIdle: 1,
        stepTimeoutSec: 60,
        commandTimeoutSec: 60,
        timeoutMultiplier: 1,
        outputLimitBytes: outputLimit,
      },
      gradeTimeouts: false,
      keep: false,
      dir,
      emit: log.emitFor("bench.1"),
      signal: new AbortController().signal,
    });
    await log.close();
    // The first step waits for the agent's start.
    return began.slice(2).map((time, at) => time - began[at + 1]);
  } finally {
    watchdog.dismiss();
    await rm(dir, { recursive: true, force: true });
  }
}

async function startPlainContainer(docker) {
  const Cmd = ["sleep", "infinity"];
  const HostConfig = { AutoRemove: true, Init: true };
  const container = await docker.createContainer({ Image: baseImage, Cmd, HostConfig });
  await container.start();
  return container;
}

/** The time of one command in a loop inside one shell: the least that any harness can reach. */
async function timeBare(container, command) {
  const count = 500;
  const loop = `i=0; while [ $i -lt ${count} ]; do ${command}; i=$((i+1)); done`;
  const empty = await timed(() => execThroughApi(container, ":"));
  return Math.max(0, (await timed(() => execThroughApi(container, loop))) - empty) / count;
}

async function execThroughApi(container, command) {
  const Cmd = ["sh", "-c", command];
  const exec = await container.exec({ Cmd, AttachStdout: true, AttachStderr: true });
  const stream = await exec.start({});
  await new Promise((resolve, reject) => stream.on("end", resolve).on("error", reject).resume());
  await exec.inspect();
}

function execThroughCli(container, command) {
  return execa("docker", ["exec", container.id, "sh", "-c", command]);
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function median(values) {
  return quantile(values, 0.5);
}

function ms(value) {
  return value.toFixed(2);
}
