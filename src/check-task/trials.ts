import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { nop, oracle } from "../agent/builtin.js";
import type { TrialResult } from "../events/records.js";
import type { Agent, Limits, SandboxProvider, Task } from "../interfaces/index.js";
import { runTrial } from "../runner/trial.js";
import { onlooker } from "./onlooker.js";

const RETRIES = 1;

/** What a trial showed. */
export interface Seen {
  result: TrialResult;
  /** What the commands of the agent phase printed. */
  printed: string;
  /** What the verifier printed last. */
  verifierOutput: string;
}

/** The trials that prove a task, each in a sandbox of its own. */
export interface Evidence {
  oracle: [Seen, Seen];
  nop: [Seen, Seen];
  onlooker: Seen;
}

export interface TrialOptions {
  provider: SandboxProvider;
  limits: Limits;
  /** A folder for the trials' files. */
  dir: string;
  /** Waits for a free place, and says which trial takes it. */
  schedule: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  signal: AbortSignal;
}

export const TRIALS_OF_A_TASK = 5;

export async function runTrials(task: Task, options: TrialOptions): Promise<Evidence> {
  const run = (agent: Agent, attempt: number) => {
    const trial = `${task.name.replaceAll("/", "__")}.${agent.name}.${attempt}`;
    return options.schedule(trial, () => runOne({ task, agent, attempt, trial }, options));
  };
  const [first, second, none, noneAgain, look] = await Promise.all([
    run(oracle, 1),
    run(oracle, 2),
    run(nop, 1),
    run(nop, 2),
    run(onlooker, 1),
  ]);
  return { oracle: [first, second], nop: [none, noneAgain], onlooker: look };
}

/** What failed by the machine's fault gets a second chance. */
async function runOne(
  planned: { task: Task; agent: Agent; attempt: number; trial: string },
  { provider, limits, dir, signal }: TrialOptions,
): Promise<Seen> {
  for (let attempt = 1; ; attempt++) {
    const printed: string[] = [];
    let verifierOutput = "";
    const own = join(dir, `${planned.trial}.try${attempt}`);
    await mkdir(own, { recursive: true });
    const result = await runTrial({
      ...planned,
      run: basename(dir),
      try: attempt,
      provider,
      limits,
      gradeTimeouts: false,
      keep: false,
      dir: own,
      emit: (event) => {
        if (event.type === "command_finished") printed.push(event.output);
        if (event.type === "verifier_finished") verifierOutput = event.output;
      },
      signal,
    });
    const again = result.outcome === "infra_error" && attempt <= RETRIES && !signal.aborted;
    if (!again) return { result, printed: printed.join("\n"), verifierOutput };
  }
}
