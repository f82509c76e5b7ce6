import type { Command } from "commander";
import { commandList, person } from "../agent/index.js";
import { TermRunError } from "../errors.js";
import type { TrialResult } from "../events/index.js";
import type { Agent, SandboxProvider, Task } from "../interfaces/index.js";
import { NO_LIMITS, nameTrial, startRun, withScratchFolder } from "../runner/index.js";
import { findRefusal, openProvider } from "../sandbox/index.js";
import { findTasks } from "../task/index.js";
import { listenForInterrupt } from "./interrupt.js";
import { collect } from "./options.js";
import { addRegistryOption, type RegistryFlags, withFetching } from "./registries.js";
import { addSandboxOptions } from "./run-options.js";
import { conclude, createTryOutput, introduce, printHowToLeave } from "./try-output.js";
import { readVersion } from "./version.js";

interface TryFlags extends RegistryFlags {
  sandbox: string;
  image: string;
  harden?: boolean;
  command?: string[];
  include?: string[];
}

const NOTES = `
Examples:
  term-run try tasks/hello-world
  term-run try terminal-bench-core==0.1.1 --include hello-world
  term-run try tasks/hello-world --command "echo 'Hello, world!' > hello.txt"

Leave the shell with exit or Ctrl-D. There is no time limit.

Exit codes: 0 full reward; 1 less; 2 bad usage, or a task that can't be read or run here;
3 an infrastructure error; 130 interrupted.`;

/** \`term-run try TASK\`: a person in the agent's place. */
export function addTryCommand(program: Command, exit: (code: number) => void): void {
  const command = program
    .command("try")
    .description("work on a task yourself: a shell in its sandbox, then its verifier")
    .argument("<task>", "a task folder");
  addRegistryOption(addSandboxOptions(command, "where the shell runs"))
    .option("-i, --include <glob>", "the task in a folder or dataset that is meant", collect)
    .option("--command <line>", "run this instead of a shell (repeatable)", collect)
    .addHelpText("after", NOTES)
    .action(async (path: string, flags: TryFlags) => exit(await tryTask(path, flags)));
}

async function tryTask(path: string, flags: TryFlags): Promise<number> {
  const tryAgent = flags.command ? commandsAgent(flags.command) : interactiveAgent();
  const task = await findOne(path, flags);
  const interrupt = listenForInterrupt("stopping the sandbox", tryAgent.isAttached);
  try {
    const { provider, notice } = await openProvider(flags.sandbox, {
      defaultImage: flags.image,
      hardened: flags.harden === true,
    });
    refuseUnsupported(task, provider);
    for (const text of [...(notice ? [notice] : []), ...task.warnings])
      process.stderr.write(`term-run: ${text}\n`);
    const result = await withScratchFolder("try", (out) =>
      work(task, tryAgent.agent, { provider, out, signal: interrupt.signal }),
    );
    return conclude(result);
  } finally {
    interrupt.stop();
  }
}

/** What works on the task, and whether Ctrl-C is meant for it at the moment. */
interface TryAgent {
  agent: Agent;
  isAttached(): boolean;
}

function commandsAgent(commands: string[]): TryAgent {
  return { agent: commandList(commands, introduce), isAttached: () => false };
}

function interactiveAgent(): TryAgent {
  const { stdin, stdout } = process;
  if (!(stdin.isTTY && stdout.isTTY))
    throw new TermRunError(
      "usage",
      "an interactive shell needs a terminal, and stdin or stdout isn't one",
      {
        hint: "Run it in a terminal, or give the commands to run: --command LINE",
      },
    );
  let isAttached = false;
  const agent = person({
    stdin,
    stdout,
    onBegin: (part) => {
      introduce(part);
      printHowToLeave();
      isAttached = true;
    },
    onLeave: () => {
      isAttached = false;
    },
  });
  return { agent, isAttached: () => isAttached };
}

async function findOne(path: string, flags: TryFlags): Promise<Task> {
  const { include } = flags;
  const found = await withFetching(flags, (options) => findTasks([path], { ...options, include }));
  const [task, ...others] = found.tasks;
  for (const text of found.warnings) process.stderr.write(`term-run: ${text}\n`);
  if (task && others.length === 0) return task;
  throw new TermRunError("usage", `there are ${others.length + 1} tasks in ${path}`, {
    hint: "Give the folder of one of them, or choose one: --include NAME",
  });
}

function refuseUnsupported(task: Task, provider: SandboxProvider): void {
  const refusal = task.unsupported ?? findRefusal(task, provider);
  if (refusal)
    throw new TermRunError("usage", `${task.name} can't run in ${provider.kind}: ${refusal}`);
}

async function work(
  task: Task,
  agent: Agent,
  place: { provider: SandboxProvider; out: string; signal: AbortSignal },
): Promise<TrialResult | null> {
  const run = await startRun({
    ...place,
    version: readVersion(),
    agent: { name: agent.name, spec: agent.name },
    trials: [
      { trial: nameTrial(task.name, "try"), task: withoutTimeLimit(task), attempt: 1, agent },
    ],
    limits: NO_LIMITS,
  });
  let result: TrialResult | null = null;
  const show = createTryOutput();
  for await (const event of run.events()) {
    show(event);
    if (event.type === "trial_finished") result = event.result;
  }
  await run.done;
  return result;
}

function withoutTimeLimit(task: Task): Task {
  const parts = task.parts && {
    ...task.parts,
    list: task.parts.list.map((part) => ({ ...part, task: withoutTimeLimit(part.task) })),
  };
  return { ...task, agentTimeoutSec: null, parts };
}
