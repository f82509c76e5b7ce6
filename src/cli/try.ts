import { basename } from "node:path";
import { type Command, Option } from "commander";
import { person, typist } from "../agent/person.js";
import { TermRunError } from "../errors.js";
import type { SandboxKind, TrialResult } from "../events/records.js";
import type { Emit } from "../events/types.js";
import type { Agent, SandboxProvider, Task } from "../interfaces/index.js";
import { watchdog } from "../process/watchdog.js";
import { formatNumber } from "../report/format.js";
import { createPalette } from "../report/palette.js";
import { runTrial } from "../runner/trial.js";
import { chooseSandbox, DEFAULT_IMAGE, DEFAULT_OUTPUT_LIMIT } from "../sandbox/choose.js";
import { makeScratchFolder, removeScratchFolder } from "../sandbox/folder.js";
import { findTasks } from "../task/find.js";
import { EXIT } from "./exit-codes.js";
import { listenForInterrupt } from "./interrupt.js";
import { limitsWithoutEnd } from "./limits.js";
import { collect } from "./options.js";

interface TryFlags {
  sandbox: SandboxKind | "auto";
  image: string;
  command?: string[];
}

const NOTES = `
Examples:
  term-run try tasks/hello-world
  term-run try tasks/hello-world --command "echo 'Hello, world!' > hello.txt"

Leave the shell with exit or Ctrl-D. There is no time limit.

Exit codes: 0 the reward is full; 1 it is not; 2 bad usage, or a task that can't be read or run here;
3 an infrastructure error; 130 interrupted.`;

/** \`term-run try TASK\`: a person in the agent's place. */
export function addTryCommand(program: Command, exit: (code: number) => void): void {
  program
    .command("try")
    .description("work on a task yourself: a shell in its sandbox, then its verifier")
    .argument("<task>", "a task folder")
    .addOption(
      new Option("-s, --sandbox <kind>", "where the shell runs")
        .choices(["auto", "docker", "bubblewrap", "local"])
        .default("auto"),
    )
    .option("--image <image>", "Docker image for a task that brings none", DEFAULT_IMAGE)
    .option("--command <line>", "run this instead of a shell (repeatable)", collect)
    .addHelpText("after", NOTES)
    .action(async (path: string, flags: TryFlags) => exit(await tryTask(path, flags)));
}

async function tryTask(path: string, flags: TryFlags): Promise<number> {
  const { stdin, stdout } = process;
  if (!flags.command && !(stdin.isTTY && stdout.isTTY))
    throw new TermRunError("usage", "a shell for you needs a terminal, and this is none", {
      hint: "Run it in a terminal, or say what to run: --command LINE",
    });
  const task = await findOne(path);
  let isAttached = false;
  const interrupt = listenForInterrupt(
    () =>
      process.stderr.write("\nterm-run: ending the sandbox; press Ctrl-C again to stop at once\n"),
    () => isAttached,
  );
  const dir = await makeScratchFolder("try");
  try {
    const provider = await chooseSandbox(flags.sandbox, {
      defaultImage: flags.image,
      outputLimit: DEFAULT_OUTPUT_LIMIT,
    });
    await prepare(task, provider, interrupt.signal);
    const agent = flags.command
      ? typist(flags.command, introduce)
      : person({
          stdin,
          stdout,
          onBegin: (part) => {
            introduce(part);
            stdout.write(`${dim("Leave the shell with exit or Ctrl-D to have it verified.")}\n`);
            isAttached = true;
          },
          onLeave: () => {
            isAttached = false;
          },
        });
    const result = await work(task, agent, provider, dir, interrupt.signal);
    await provider.close();
    return conclude(result);
  } finally {
    await removeScratchFolder(dir);
    interrupt.stop();
    watchdog.dismiss();
  }
}

async function findOne(path: string): Promise<Task> {
  const [task, ...others] = await findTasks([path]);
  if (task && others.length === 0) return task;
  throw new TermRunError("usage", `there are ${others.length + 1} tasks in ${path}`, {
    hint: "Name the folder of one of them.",
  });
}

async function prepare(task: Task, provider: SandboxProvider, signal: AbortSignal): Promise<void> {
  const refusal = task.unsupported ?? provider.unsupported(task);
  if (refusal)
    throw new TermRunError("usage", `${task.name} can't run in ${provider.kind}: ${refusal}`);
  for (const warning of task.warnings) process.stderr.write(`term-run: ${warning}\n`);
  let announced = "";
  await provider.prepare([task], {
    signal,
    onStart: () => {},
    onProgress: (image) => {
      if (image !== announced) process.stderr.write(`term-run: preparing the image ${image}\n`);
      announced = image;
    },
    onFinish: () => {},
  });
}

function work(
  task: Task,
  agent: Agent,
  provider: SandboxProvider,
  dir: string,
  signal: AbortSignal,
): Promise<TrialResult> {
  const name = task.name.replaceAll("/", "__");
  return runTrial({
    trial: `${name}.try`,
    run: basename(dir),
    task: withoutTimeLimit(task),
    attempt: 1,
    try: 1,
    agent,
    provider,
    limits: limitsWithoutEnd(),
    gradeTimeouts: false,
    keep: false,
    dir,
    emit: show,
    signal,
  });
}

function withoutTimeLimit(task: Task): Task {
  const steps = task.steps && {
    ...task.steps,
    parts: task.steps.parts.map((part) => ({ ...part, task: withoutTimeLimit(part.task) })),
  };
  return { ...task, agentTimeoutSec: null, steps };
}

function introduce(task: Task): void {
  process.stdout.write(`\n${task.instruction}\n\n`);
}

const show: Emit = (event) => {
  const { stdout } = process;
  if (event.type === "part_started")
    stdout.write(`\npart ${event.number} of ${event.of}: ${event.part}\n`);
  if (event.type === "command_started") stdout.write(`${dim(`$ ${event.command}`)}\n`);
  if (event.type === "command_finished") {
    if (event.output !== "") stdout.write(`${event.output}\n`);
    if (event.exit_code !== 0) stdout.write(`${dim(`exit code ${event.exit_code}`)}\n`);
  }
  if (event.type === "verifier_started") stdout.write(`\n${dim("verifying …")}\n`);
  if (event.type === "verifier_finished" && event.output !== "") stdout.write(`${event.output}\n`);
};

function conclude({ outcome, reward, rewards, error }: TrialResult): number {
  const { green, red } = createPalette(process.stdout.isTTY === true);
  if (outcome === "cancelled") return EXIT.interrupted;
  if (outcome === "infra_error")
    throw new TermRunError("infra", error?.message ?? "the sandbox failed", {
      ...(error?.hint ? { hint: error.hint } : {}),
    });
  const several = Object.entries(rewards ?? {}).length > 1 ? Object.entries(rewards ?? {}) : [];
  for (const [name, value] of several) process.stdout.write(`  ${name}  ${formatNumber(value)}\n`);
  const verdict =
    reward === null ? `no reward: ${error?.message}` : `reward ${formatNumber(reward)}`;
  const isPassed = outcome === "passed";
  process.stdout.write(`${isPassed ? green(`✓ ${verdict}`) : red(`✗ ${verdict}`)}\n`);
  return isPassed ? EXIT.ok : EXIT.below;
}

function dim(text: string): string {
  return createPalette(process.stdout.isTTY === true).dim(text);
}
