import { expect, test } from "vitest";
import type { Event } from "../../src/events/types.js";
import { createConsoleReporter } from "../../src/report/console.js";
import {
  finishAgent,
  finishCommand,
  finishRun,
  finishTrial,
  keepTrial,
  makeResult,
  runEvent,
  startRun,
  startStep,
  startTrial,
  trialEvent,
  verify,
} from "./events.js";
import { createMemory } from "./memory.js";

function report(events: Event[], options: { verbose?: boolean; quiet?: boolean } = {}): string {
  const stream = createMemory();
  const reporter = createConsoleReporter({ stream, isTty: false, color: false, ...options });
  for (const event of events) reporter.event(event);
  return `\n${stream.text}`;
}

const usage = { models: ["model-a"], input_tokens: 12_000, output_tokens: 345, cost_usd: 0.042 };
const results = [
  makeResult("hello-world.1", "passed", { usage }),
  makeResult("sort-csv.1", "failed", { reward: 0.5, steps: 7, seconds: 75, usage }),
  makeResult("fix-git.1", "agent_crashed", {
    steps: 1,
    error: {
      code: "agent_crashed",
      message: "the agent ended with exit code 1: KeyError: 'API_KEY'",
      hint: "API_KEY was withheld; pass it with --env API_KEY",
    },
  }),
  makeResult("build-it.1", "infra_error", {
    steps: 0,
    tries: 3,
    error: { code: "infra", message: "the engine went away", hint: null },
  }),
  makeResult("big-image.1", "skipped", {
    steps: 0,
    error: { code: "skipped", message: "needs an image, which bubblewrap can't run", hint: null },
  }),
] as const;

const wholeRun: Event[] = [
  startRun([...results.map((result) => result.trial), "never.1"]),
  runEvent({ type: "image_started", image: "term-run/a:1", tasks: ["hello-world", "sort-csv"] }),
  runEvent({ type: "image_progress", image: "term-run/a:1", line: "Step 1/2 : FROM debian" }),
  runEvent({
    type: "image_finished",
    image: "term-run/a:1",
    ok: true,
    cached: false,
    duration_sec: 12.3,
    error: null,
  }),
  runEvent({ type: "warning", text: "fix-git has no time limit of its own" }),
  startTrial("hello-world.1"),
  trialEvent("hello-world.1", { type: "agent_stderr", text: "starting\nready\n" }),
  ...startStep("hello-world.1", 1, "cat > a <<E\nhi\nE", "First I write\nthe file."),
  finishCommand("hello-world.1", 1, 0),
  finishAgent("hello-world.1", 4),
  ...verify("hello-world.1", 1, "1 passed\n"),
  finishTrial(results[0]),
  startTrial("sort-csv.1"),
  ...startStep("sort-csv.1", 1, "sleep 999"),
  finishCommand("sort-csv.1", 1, 124, { timed_out: true, shell_restarted: true }),
  trialEvent("sort-csv.1", { type: "agent_noise", step: 2, text: "debug output" }),
  trialEvent("sort-csv.1", {
    type: "response_invalid",
    step: 2,
    problem: "command must be a string",
    raw: "{}",
    in_a_row: 1,
  }),
  trialEvent("sort-csv.1", { type: "note", text: "keystrokes run as shell lines" }),
  finishAgent("sort-csv.1", 7),
  ...verify("sort-csv.1", 0.5, "test_a ok\n=== 1 failed, 1 passed ===\n\n"),
  finishTrial(results[1]),
  trialEvent("sort-csv.1", {
    type: "sandbox_kept",
    enter: "docker exec -it term-run-x sh",
    remove: "docker rm -f term-run-x",
  }),
  startTrial("fix-git.1"),
  finishTrial(results[2]),
  startTrial("build-it.1"),
  trialEvent("build-it.1", { type: "trial_retried", reason: "the engine went away" }),
  startTrial("build-it.1"),
  finishTrial(results[3]),
  finishTrial(results[4]),
  finishRun([...results], { planned: 6, interrupted: true }),
];

test("a whole run", () => {
  expect(report(wholeRun)).toMatchInlineSnapshot(`
    "
    run demo  6 trials, agent ./my-agent, sandbox docker, 2 at a time
    image term-run/a:1  preparing for 2 tasks
    image term-run/a:1  ready after 12.3s
    ! warning  fix-git has no time limit of its own
    [1/6] ✓ passed  hello-world.1  4 steps  1.2s
    [2/6] ✗ failed  sort-csv.1  7 steps  1m 15s  reward 0.5: === 1 failed, 1 passed ===
    kept  sandbox of sort-csv.1
      enter   docker exec -it term-run-x sh
      remove  docker rm -f term-run-x
    [3/6] ✗ agent_crashed  fix-git.1  1 step  1.2s  the agent ended with exit code 1: KeyError: 'API_KEY'
      hint: API_KEY was withheld; pass it with --env API_KEY
    ! retried  build-it.1  the engine went away
    [4/6] ! infra_error  build-it.1  0 steps  1.2s  try 3  the engine went away
    [5/6] - skipped  big-image.1  needs an image, which bubblewrap can't run

    task         passed  reward  outcomes       steps    time     cost
    ──────────────────────────────────────────────────────────────────
    big-image       0/0       –  skipped            –       –        –
    build-it        0/0       –  infra_error        –       –        –
    fix-git         0/1       0  agent_crashed      1    1.2s        –
    hello-world     1/1       1  passed             4    1.2s  $0.0420
    sort-csv        0/1     0.5  failed             7  1m 15s  $0.0420

    pass rate 33.3 % (1/3), 95 % interval 6.1–79.2 % for tasks like these
    mean reward 0.5, 95 % interval 0.13–0.87 (over 3 scored trials)
    not passed: 1 failed, 1 agent_crashed
    not scored: 1 infra_error, 1 skipped
      1 × infra_error: the engine went away
      1 × skipped: needs an image, which bubblewrap can't run
    discarded and run again: 2 tries
    with errors as failures 25.0 % (1/4)
    tokens 24,000 in, 690 out; cost $0.0840; model-a
    per trial: 25.8s (95 % interval 0.0s–2m 59s), $0.0420
    interrupted: 5 of 6 trials in 1m 23s
    results in runs/demo
    "
  `);
});

test("verbose adds what agents say and do", () => {
  const [plain, verbose] = [report(wholeRun), report(wholeRun, { verbose: true })];
  const added = verbose.split("\n").filter((line) => !plain.split("\n").includes(line));
  expect(`\n${added.join("\n")}\n`).toMatchInlineSnapshot(`
    "
      term-run/a:1 | Step 1/2 : FROM debian
      hello-world.1  stderr | starting
      hello-world.1  stderr | ready
      hello-world.1 #1  > First I write
      hello-world.1 #1  > the file.
      hello-world.1 #1  $ cat > a <<E↵hi↵E  (exit 0, 0.1s)
      sort-csv.1 #1  $ sleep 999  (timed out, 0.1s, new shell)
      sort-csv.1 #2  stdout | debug output
      sort-csv.1 #2  invalid response: command must be a string
      sort-csv.1  note: keystrokes run as shell lines
    "
  `);
});

test("quiet leaves the totals and the path", () => {
  expect(report(wholeRun, { quiet: true, verbose: true })).toMatchInlineSnapshot(`
    "
    pass rate 33.3 % (1/3), 95 % interval 6.1–79.2 % for tasks like these
    mean reward 0.5, 95 % interval 0.13–0.87 (over 3 scored trials)
    not passed: 1 failed, 1 agent_crashed
    not scored: 1 infra_error, 1 skipped
      1 × infra_error: the engine went away
      1 × skipped: needs an image, which bubblewrap can't run
    discarded and run again: 2 tries
    with errors as failures 25.0 % (1/4)
    tokens 24,000 in, 690 out; cost $0.0840; model-a
    per trial: 25.8s (95 % interval 0.0s–2m 59s), $0.0420
    interrupted: 5 of 6 trials in 1m 23s
    results in runs/demo
    "
  `);
});

test("a failed build shows its last lines", () => {
  const image = "term-run/b:2";
  const steps = Array.from({ length: 12 }, (_, index) =>
    runEvent({ type: "image_progress", image, line: `line ${index + 1}\n` }),
  );
  const text = report([
    runEvent({ type: "image_started", image, tasks: ["a"] }),
    ...steps,
    runEvent({
      type: "image_finished",
      image,
      ok: false,
      cached: false,
      duration_sec: 3,
      error: { code: "infra", message: "RUN false: exit code 1", hint: "build it by hand" },
    }),
    runEvent({ type: "image_started", image: "c", tasks: ["c"] }),
    runEvent({
      type: "image_finished",
      image: "c",
      ok: true,
      cached: true,
      duration_sec: 0,
      error: null,
    }),
  ]);
  expect(text).toMatchInlineSnapshot(`
    "
    image term-run/b:2  preparing for 1 task
    image term-run/b:2  failed after 3.0s: RUN false: exit code 1
      | line 3
      | line 4
      | line 5
      | line 6
      | line 7
      | line 8
      | line 9
      | line 10
      | line 11
      | line 12
      hint: build it by hand
    image c  preparing for 1 task
    image c  ready, cached
    "
  `);
});

test("the same hint is printed once", () => {
  const error = { code: "x", message: "no key", hint: "pass --env KEY" };
  const text = report([
    startRun(["a.1", "b.1"]),
    finishTrial(makeResult("a.1", "agent_crashed", { error })),
    finishTrial(makeResult("b.1", "agent_crashed", { error })),
  ]);
  expect(text.split("hint: pass --env KEY")).toHaveLength(2);
});

test("counters are aligned", () => {
  const trials = Array.from({ length: 10 }, (_, index) => `t${index}.1`);
  const text = report([
    startRun(trials),
    ...trials.map((trial) => finishTrial(makeResult(trial, "passed"))),
  ]);
  expect(text).toContain("\n[ 1/10] ✓ passed  t0.1  4 steps  1.2s\n");
  expect(text).toContain("\n[10/10] ✓ passed  t9.1  4 steps  1.2s\n");
});

test("a resumed run counts the results that it keeps in one line", () => {
  const kept = Array.from({ length: 3 }, (_, at) => makeResult(`old-${at}.1`, "passed"));
  const last = makeResult("new.1", "failed", { reward: 0 });
  const trials = [...kept, last].map(({ trial }) => trial);
  const events = [
    startRun(trials),
    ...kept.map(keepTrial),
    startTrial("new.1"),
    finishTrial(last),
    finishRun([...kept, last]),
  ];
  expect(report(events).split("\n").slice(1, 4)).toEqual([
    "run demo  4 trials, agent ./my-agent, sandbox docker, 2 at a time",
    "3 results kept from before",
    "[4/4] ✗ failed  new.1  4 steps  1.2s  reward 0",
  ]);
  expect(report(events)).toContain("\nold-0     1/1       1  passed");
  const all = report([startRun(trials), ...kept.map(keepTrial), finishRun(kept)]);
  expect(all).toContain("\n3 results kept from before\n");
});

test("a run in which nothing was scored", () => {
  expect(report([startRun(["a.1"]), finishRun([], { planned: 1 })])).toMatchInlineSnapshot(`
    "
    run demo  1 trial, agent ./my-agent, sandbox docker, 2 at a time

    pass rate unknown: no trial was scored
    incomplete: 0 of 1 trial in 1m 23s
    results in runs/demo
    "
  `);
});
