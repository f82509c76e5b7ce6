import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { filterEnvironment } from "../../src/agent/environment.js";
import { findAgent } from "../../src/agent/find.js";
import type { TrialResult } from "../../src/events/records.js";
import { Redactor } from "../../src/events/redact.js";
import type { EventBody, TrialEvent } from "../../src/events/types.js";
import type { Limits, SandboxProvider, Task } from "../../src/interfaces/index.js";
import { Watchdog } from "../../src/process/watchdog.js";
import { runTrial } from "../../src/runner/trial.js";
import { DEFAULT_DOWNLOAD_LIMITS } from "../../src/sandbox/download-limits.js";
import { readTask } from "../../src/task/read.js";

/** Used by this test file only: others run at the same time. */
export const RUN = `test-${process.pid}`;

type Body = EventBody<TrialEvent>;
type Found<T extends Body["type"]> = Extract<Body, { type: T }>;

/** What a trial left behind, for a test to look at. */
export interface Outcome {
  result: TrialResult;
  /** The request lines that the agent got, as bytes. */
  requests: string;
  events: Body[];
  find<T extends Body["type"]>(type: T): Found<T>[];
  commands: Found<"command_finished">[];
}

export interface Trial {
  provider: SandboxProvider;
  /** The agent's program: its file name and source, or a built-in one's name. */
  agent: string | { file: string; source: string };
  /** Files of the task folder beside the ones that every task needs; null for none of those. */
  files?: Record<string, string | null>;
  /** The modes of some of them; scripts are executable by default. */
  modes?: Record<string, number>;
  limits?: Partial<Limits>;
  gradeTimeouts?: boolean;
  strict?: boolean;
  signal?: AbortSignal;
  onEvent?: (event: Body) => void;
}

const LIMITS: Limits = {
  maxSteps: 20,
  maxInvalid: 3,
  maxIdle: 3,
  stepTimeoutSec: 30,
  commandTimeoutSec: 30,
  timeoutMultiplier: 1,
  outputLimitBytes: 100 * 1024,
};

/** One real agent process on one real task in a real sandbox. */
export async function runOne(trial: Trial): Promise<Outcome> {
  const dir = mkdtempSync(join(tmpdir(), "term-run-test-"));
  const events: Body[] = [];
  const watchdog = new Watchdog();
  const { agent } = trial;
  try {
    const task = await writeTask(join(dir, "hello"), trial);
    const signal = trial.signal ?? new AbortController().signal;
    const quiet = { onStart: () => {}, onProgress: () => {}, onFinish: () => {} };
    await trial.provider.prepare([task], { signal, ...quiet });
    const log = join(dir, "requests");
    if (typeof agent !== "string") writeFileSync(join(dir, agent.file), agent.source);
    const environment = filterEnvironment({ ...process.env, REQUEST_LOG: log }, []);
    const result = await runTrial({
      trial: "hello.1",
      run: RUN,
      task,
      attempt: 1,
      try: 1,
      agent: findAgent(typeof agent === "string" ? agent : join(dir, agent.file), environment),
      provider: trial.provider,
      limits: { ...LIMITS, ...trial.limits },
      downloadLimits: DEFAULT_DOWNLOAD_LIMITS,
      gradeTimeouts: trial.gradeTimeouts ?? false,
      strict: trial.strict ?? false,
      keep: false,
      dir,
      redactor: new Redactor(),
      watchdog,
      leash: null,
      emit: (event) => {
        events.push(event);
        trial.onEvent?.(event);
      },
      signal,
    });
    const find = <T extends Body["type"]>(type: T) =>
      events.filter((event): event is Found<T> => event.type === type);
    const requests = readOr(log, "");
    return { result, requests, events, find, commands: find("command_finished") };
  } finally {
    watchdog.dismiss();
    rmSync(dir, { recursive: true, force: true });
  }
}

export function writeTask(
  dir: string,
  { files, modes }: Pick<Trial, "files" | "modes">,
): Promise<Task> {
  const all = {
    "task.toml": "[agent]\ntimeout_sec = 60\n[verifier]\nreward = 'exit-code'\n",
    "instruction.md": "Create hello.txt with 'Hello, world!'\n",
    "tests/test.sh": "#!/bin/sh\ngrep -qx 'Hello, world!' hello.txt\n",
    ...files,
  };
  for (const [name, content] of Object.entries(all)) {
    if (content === null) continue;
    const file = join(dir, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, modes?.[name] ?? (name.endsWith(".sh") ? 0o755 : 0o644));
  }
  return readTask(dir);
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return otherwise;
  }
}

/** A response that an agent holds back until a file exists. */
export class Held {
  constructor(
    readonly file: string,
    readonly answer: object,
  ) {}
}

/** A Python agent that answers its requests with these lines, whatever it is asked. */
export function scripted(...answers: (string | object)[]): { file: string; source: string } {
  const lines = answers.map((answer) => {
    if (answer instanceof Held) return [answer.file, JSON.stringify(answer.answer)];
    return ["/", typeof answer === "string" ? answer : JSON.stringify(answer)];
  });
  const source = `
import json, os, sys, time
answers = json.loads(${JSON.stringify(JSON.stringify(lines))})
log = open(os.environ["REQUEST_LOG"], "a")
for line in sys.stdin:
    log.write(line)
    log.flush()
    if answers:
        file, answer = answers.pop(0)
        while not os.path.exists(file): time.sleep(0.02)
        print(answer, flush=True)
`;
  return { file: "agent.py", source };
}

export const run = (command: string) => ({ command, task_complete: false });
export const done = { command: null, task_complete: true };
export const write = run("echo 'Hello, world!' > hello.txt");
