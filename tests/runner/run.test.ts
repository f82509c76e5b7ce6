import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { filterEnvironment } from "../../src/agent/environment.js";
import { findAgent } from "../../src/agent/find.js";
import type { Event } from "../../src/events/types.js";
import type { Agent, SandboxProvider, Task } from "../../src/interfaces/index.js";
import { findMarked, MARKER_VARIABLE } from "../../src/process/marked.js";
import { listPids, readEnvironment } from "../../src/process/proc.js";
import { nameTrial } from "../../src/runner/plan.js";
import { startRun } from "../../src/runner/run.js";
import type { Run, RunPlan } from "../../src/runner/types.js";
import { KINDS, openProvider } from "../sandbox/kinds.js";
import { done, scripted, write, writeTask } from "../support/trials.js";
import { until } from "../support/until.js";

const kind =
  KINDS.find(({ kind }) => kind === "bubblewrap") ?? KINDS.find(({ kind }) => kind === "local");
if (!kind) throw new Error("there is no sandbox to test with");

function makePlace(): string {
  const dir = mkdtempSync(join(tmpdir(), "run-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Responds like the scripted ones, and stays silent forever once a file is missing. */
function waiting(dir: string): Agent {
  const file = join(dir, "waiting.py");
  writeFileSync(
    file,
    `import json, sys, time
for line in sys.stdin:
    if json.loads(line)["step"] == 1:
        print(json.dumps({"command": "echo begun", "task_complete": False}), flush=True)
    else:
        time.sleep(1000)
`,
  );
  return findAgent(file, filterEnvironment({ ...process.env }, []));
}

function solving(dir: string): Agent {
  const { file, source } = scripted(write, done);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, file), source);
  const env = { ...process.env, REQUEST_LOG: join(dir, "requests") };
  return findAgent(join(dir, file), filterEnvironment(env, []));
}

async function plan(
  dir: string,
  names: string[],
  agent: Agent,
  more: Partial<RunPlan> = {},
): Promise<RunPlan> {
  const tasks: Task[] = [];
  for (const name of names) tasks.push(await writeTask(join(dir, "tasks", name), {}));
  return {
    out: join(dir, "out"),
    version: "test",
    agent: { name: agent.name, spec: agent.name },
    provider: await openProvider(kind as NonNullable<typeof kind>),
    trials: tasks.map((task) => ({ trial: nameTrial(task.name, 1), task, attempt: 1, agent })),
    concurrency: names.length,
    ...more,
  };
}

async function collect(run: Run): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of run.events()) events.push(event);
  return events;
}

/** Resolves with the first matching event. */
async function first(run: Run, fits: (event: Event) => boolean): Promise<Event> {
  for await (const event of run.events()) if (fits(event)) return event;
  throw new Error("the run ended before that");
}

describe("two runs in one process", () => {
  it("one is cancelled, the other is unharmed, and both keep their own logs and secrets", async () => {
    const [one, two] = [makePlace(), makePlace()];
    const slow = await startRun(await plan(one, ["a", "b"], waiting(one), { secrets: ["begun"] }));
    const begun = first(slow, ({ type }) => type === "command_finished");
    expect(await begun).toMatchObject({ output: "[redacted]" });
    const other = await startRun(await plan(two, ["c", "d", "e"], solving(two)));
    const events = collect(other);
    await first(other, ({ type }) => type === "agent_started");
    slow.cancel();
    expect(await slow.done).toMatchObject({
      interrupted: true,
      outcomes: { cancelled: 2, passed: 0 },
    });
    expect(await other.done).toMatchObject({ interrupted: false, outcomes: { passed: 3 } });
    expect((await events).filter(({ type }) => type === "trial_finished")).toHaveLength(3);
    expect(JSON.stringify(await events)).not.toContain("[redacted]");
  });

  it("leave no process of either, and the watchdog of one outlives that of the other", async () => {
    const [one, two] = [makePlace(), makePlace()];
    const slow = await startRun(await plan(one, ["a"], waiting(one)));
    const started = await first(slow, ({ type }) => type === "agent_started");
    const { pid } = started as Event & { type: "agent_started" };
    // The environment can't be read for a moment while a script's interpreter takes over.
    const readMarker = async () =>
      (await readEnvironment(pid as number))
        .find((entry) => entry.startsWith(`${MARKER_VARIABLE}=`))
        ?.slice(MARKER_VARIABLE.length + 1);
    const marker = await until(readMarker, { what: "the agent's marker" });
    const quick = await startRun(await plan(two, ["b"], solving(two)));
    await quick.done;
    expect(await listPids()).toContain(pid);
    expect(await findMarked(marker)).not.toEqual([]);
    slow.cancel();
    await slow.done;
    expect(await findMarked(marker)).toEqual([]);
  });
});

describe("cancelling one trial", () => {
  it("ends that one and lets the others finish", async () => {
    const dir = makePlace();
    const run = await startRun(
      await plan(dir, ["a", "b"], waiting(dir)).then((whole) => ({
        ...whole,
        trials: whole.trials.map((planned) =>
          planned.task.name === "b" ? { ...planned, agent: solving(join(dir, "s")) } : planned,
        ),
      })),
    );
    await first(run, (event) => event.type === "command_finished" && event.trial === "a.1");
    run.cancel("a.1");
    const summary = await run.done;
    expect(summary).toMatchObject({
      interrupted: false,
      outcomes: { cancelled: 1, passed: 1 },
    });
    const result = JSON.parse(readFileSync(join(dir, "out/trials/a.1/result.json"), "utf8"));
    expect(result).toMatchObject({
      outcome: "cancelled",
      error: { message: "the trial was cancelled" },
    });
  });

  it("also works for one that is still queued", async () => {
    const dir = makePlace();
    const whole = await plan(dir, ["a", "b"], solving(dir), { concurrency: 1 });
    const run = await startRun(whole);
    run.cancel("b.1");
    expect(await run.done).toMatchObject({ outcomes: { passed: 1, cancelled: 1 } });
  });
});

describe("a trial that can't be started", () => {
  it("is an infrastructure error, and the others still finish", async () => {
    const dir = makePlace();
    const whole = await plan(dir, ["a", "b"], solving(dir));
    // No folder can have this name.
    mkdirSync(join(dir, "out", "trials"), { recursive: true });
    const planned = whole.trials.map((trial) =>
      trial.trial === "a.1" ? { ...trial, trial: "x/../../y\0" } : trial,
    );
    const run = await startRun({ ...whole, trials: planned });
    expect(await run.done).toMatchObject({ outcomes: { infra_error: 1, passed: 1 } });
  });

  it("is an infrastructure error too when the sandbox provider fails", async () => {
    const dir = makePlace();
    const whole = await plan(dir, ["a", "b"], solving(dir), { retries: 1 });
    const { provider } = whole;
    let closed = 0;
    const breaking: SandboxProvider = {
      kind: provider.kind,
      abilities: provider.abilities,
      prepare: (...args) => provider.prepare(...args),
      create: (request) =>
        request.trial === "a.1" ? Promise.reject(new Error("no engine")) : provider.create(request),
      close: async () => {
        closed += 1;
      },
    };
    const run = await startRun({ ...whole, provider: breaking });
    const events = await collect(run);
    expect(await run.done).toMatchObject({ outcomes: { infra_error: 1, passed: 1 } });
    expect(events.filter(({ type }) => type === "trial_retried")).toHaveLength(1);
    expect(readdirSync(join(dir, "out", "trials")).sort()).toEqual(["a.1", "a.1.try1", "b.1"]);
    expect(closed).toBe(1);
  });
});

describe("the files of a run", () => {
  it("have what the stream has, redacted in the same way", async () => {
    const dir = makePlace();
    const agent = solving(dir);
    const run = await startRun(await plan(dir, ["a"], agent, { secrets: ["hello.txt"] }));
    const events = await collect(run);
    await run.done;
    const finished = events.find(({ type }) => type === "trial_finished");
    const read = (file: string) => JSON.parse(readFileSync(join(dir, "out", file), "utf8"));
    expect(finished).toMatchObject({ result: read("trials/a.1/result.json") });
    expect(events.at(-1)).toMatchObject({
      type: "run_finished",
      summary: read("summary.json"),
    });
    const started = events.find(({ type }) => type === "trial_started");
    expect(started).toMatchObject({ instruction: "Create [redacted] with 'Hello, world!'" });
    expect(existsSync(join(dir, "out/trials/a.1/agent.stderr.log"))).toBe(true);
  });

  it("can be read again from any position, also by a reader that comes after the end", async () => {
    const dir = makePlace();
    const run = await startRun(await plan(dir, ["a", "b"], solving(dir)));
    const live = await collect(run);
    await run.done;
    expect(await collect(run)).toEqual(live);
    const rest: Event[] = [];
    for await (const event of run.events(5)) rest.push(event);
    expect(rest).toEqual(live.slice(5));
  });
});
