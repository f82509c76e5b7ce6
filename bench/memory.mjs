// The memory of the runner, the whole process as the system sees it, while 2,000 trials of 100 steps
// each run, and while their reports are written: it must not grow with the trials.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import Table from "cli-table3";

const TRIALS = 2_000;
const STEPS = 100;
const CONCURRENCY = 2;
const SAMPLES = 8;
/** Of the last samples' mean to that of the first ones; a leak of 50 kB a trial exceeds it. */
const LIMIT_GROWTH = 1.25;

const AGENT = `#!/bin/sh
n=0
while read -r line; do
  n=$((n + 1))
  if [ $n -gt ${STEPS - 1} ]; then echo '{"task_complete": true}'; else echo '{"command": "echo step $RANDOM"}'; fi
done
`;

const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const dir = await mkdtemp(join(tmpdir(), "term-run-bench-"));
try {
  await makeTask(join(dir, "task"));
  await writeFile(join(dir, "agent.sh"), AGENT, { mode: 0o755 });
  const out = join(dir, "run");
  const running = await measureRun(out);
  const reporting = await measureReport(out);
  process.exitCode = show(running, reporting);
} finally {
  await rm(dir, { recursive: true, force: true });
}

async function makeTask(folder) {
  await mkdir(join(folder, "tests"), { recursive: true });
  await writeFile(join(folder, "task.toml"), "[verifier]\nreward = 'exit-code'\n");
  await writeFile(join(folder, "instruction.md"), "Do nothing.\n");
  await writeFile(join(folder, "tests/test.sh"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
}

/** The memory after each eighth of the trials, in MB. */
async function measureRun(out) {
  const args = [join(dir, "task"), "--agent", join(dir, "agent.sh"), "--sandbox", "local"];
  const child = start([
    ...args,
    ...["--attempts", String(TRIALS), "--concurrency", String(CONCURRENCY)],
    ...["--max-steps", String(STEPS), "--out", out, "--json"],
  ]);
  const samples = [];
  let finished = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('"type":"trial_finished"')) continue;
    finished += 1;
    if (finished % (TRIALS / SAMPLES) === 0) samples.push(await readMemory(child.pid, "VmRSS"));
  }
  await child.ended;
  return samples;
}

/** The most that writing all documents takes, in MB. */
async function measureReport(out) {
  const child = start(["report", out, "--reporter", "html,junit,markdown"]);
  let most = 0;
  const timer = setInterval(async () => {
    most = Math.max(most, await readMemory(child.pid, "VmHWM").catch(() => 0));
  }, 20);
  await child.ended;
  clearInterval(timer);
  return most;
}

function start(args) {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: dir,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (args[0] === "report") child.stdout.resume();
  const ended = once(child, "close").then(([code]) => {
    if (code !== 0) throw new Error(`term-run ended with exit code ${code}`);
  });
  return Object.assign(child, { ended });
}

async function readMemory(pid, field) {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
}

function show(samples, reporting) {
  const table = new Table({
    head: ["trials finished", "memory in MB"],
    colAligns: ["right", "right"],
    style: { head: [], border: [] },
  });
  for (const [at, memory] of samples.entries())
    table.push([((at + 1) * TRIALS) / SAMPLES, memory.toFixed(0)]);
  console.log(`\n${table.toString()}`);
  console.log(
    `Writing HTML, JUnit and Markdown of all ${TRIALS} trials takes ${reporting.toFixed(0)} MB at most.`,
  );
  const half = SAMPLES / 2;
  const growth = mean(samples.slice(half)) / mean(samples.slice(0, half));
  const ok = samples.length === SAMPLES && growth <= LIMIT_GROWTH;
  console.log(
    `${STEPS} steps a trial; the second half takes ${growth.toFixed(2)} times the memory of the first (limit ${LIMIT_GROWTH}). ${ok ? "Passed." : "Failed."}`,
  );
  return ok ? 0 : 1;
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
