import { afterEach, beforeEach, expect, test, vi } from "vitest";
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
  verify,
} from "./events.js";
import { createTerminal } from "./terminal.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function openView(columns: number, rows = 24, verbose = false) {
  const terminal = createTerminal(columns, rows);
  const reporter = createConsoleReporter({ stream: terminal, isTty: true, color: false, verbose });
  return {
    terminal,
    reporter,
    send(...events: Event[]): void {
      for (const event of events) reporter.event(event);
    },
    /** What the screen shows after some time. */
    after(ms: number): string {
      vi.advanceTimersByTime(ms);
      return `\n${terminal.text}`;
    },
  };
}

const install = "apt-get update && apt-get install -y build-essential python3 git curl";
const trials = ["hello-world.1", "日本語.1", "a-task-with-quite-a-long-name.1", "last.1"];

function playUntilBusy(columns: number) {
  const view = openView(columns);
  view.send(startRun(trials), startTrial("hello-world.1"));
  view.after(2000);
  view.send(
    ...startStep("hello-world.1", 1, "ls"),
    finishCommand("hello-world.1", 1, 0),
    ...startStep("hello-world.1", 2, install),
    startTrial("日本語.1"),
    ...startStep("日本語.1", 1, "cat > a <<E\nx\nE"),
    finishCommand("日本語.1", 1, 0),
    finishAgent("日本語.1", 1),
    ...verify("日本語.1", 0, "").slice(0, 1),
    startTrial("a-task-with-quite-a-long-name.1"),
  );
  return view;
}

test("60 columns", () => {
  expect(playUntilBusy(60).after(65_000)).toMatchInlineSnapshot(`
    "
    run demo  4 trials, agent ./my-agent, sandbox docker, 2 at a
     time

      hello-world.1    #2   running    1m 06s  $ apt-get updat…
      日本語.1         #1   verifying  1m 04s  $ cat > a <<E↵x…
      a-task-with-qu…       starting   1m 04s
      ░░░░░░░░░░░░░░░  0/4  0 passed  0 failed  0 other  1m 06s
    "
  `);
});

test("200 columns", () => {
  expect(playUntilBusy(200).after(65_000)).toMatchInlineSnapshot(`
    "
    run demo  4 trials, agent ./my-agent, sandbox docker, 2 at a time

      hello-world.1                    step 2   running    1m 06s  $ apt-get update && apt-get install -y build-essential python3 git curl
      日本語.1                         step 1   verifying  1m 04s  $ cat > a <<E↵x↵E
      a-task-with-quite-a-long-name.1           starting   1m 04s
      ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  0/4  0 passed  0 failed  0 other  1m 06s
    "
  `);
});

test("finished trials scroll above, and the end removes the region", async () => {
  const view = playUntilBusy(80);
  const failed = makeResult("日本語.1", "failed", { reward: 0 });
  const passed = makeResult("hello-world.1", "passed");
  view.send(...verify("日本語.1", 0, "no file\n").slice(1), finishTrial(failed));
  expect(view.after(100)).toMatchInlineSnapshot(`
    "
    run demo  4 trials, agent ./my-agent, sandbox docker, 2 at a time
    [1/4] ✗ failed  日本語.1  4 steps  1.2s  reward 0: no file

      hello-world.1               step 2   running     2s  $ apt-get update && apt…
      a-task-with-quite-a-long-…           starting    0s
      █████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  1/4  0 passed  1 failed  0 other  2s
    "
  `);
  view.send(finishTrial(passed), finishRun([failed, passed], { planned: 4, interrupted: true }));
  await view.reporter.close?.();
  expect(view.after(10_000)).toMatchInlineSnapshot(`
    "
    run demo  4 trials, agent ./my-agent, sandbox docker, 2 at a time
    [1/4] ✗ failed  日本語.1  4 steps  1.2s  reward 0: no file
    [2/4] ✓ passed  hello-world.1  4 steps  1.2s

    task         passed  reward  outcomes  steps  time
    ──────────────────────────────────────────────────
    hello-world     1/1       1  passed        4  1.2s
    日本語          0/1       0  failed        4  1.2s

    pass rate 50.0 % (1/2), 95 % interval 9.5–90.5 % for tasks like these
    mean reward 0.5, 95 % interval 0.09–0.91 (over 2 scored trials)
    not passed: 1 failed
    per trial: 1.2s
    interrupted: 2 of 4 trials in 1m 23s
    results in runs/demo
    "
  `);
});

test("results from before count, and leave one line", () => {
  const view = openView(80);
  const kept = ["a.1", "b.1"].map((trial) => makeResult(trial, "passed"));
  view.send(startRun(["a.1", "b.1", "c.1"]), ...kept.map(keepTrial), startTrial("c.1"));
  expect(view.after(100)).toMatchInlineSnapshot(`
    "
    run demo  3 trials, agent ./my-agent, sandbox docker, 2 at a time
    2 results kept from before

      c.1                starting    0s
      ██████████████████████████░░░░░░░░░░░░░  2/3  2 passed  0 failed  0 other  0s
    "
  `);
});

test("rows come and go without leaving traces", () => {
  const view = openView(60);
  const screens: string[] = [];
  const show = (...events: Event[]) => {
    view.send(...events);
    screens.push(view.after(100).split("\n").slice(3).join("\n"));
  };
  const image = "img";
  show(startRun(["a.1", "b.1"]), startTrial("a.1"));
  show(startTrial("b.1"));
  show(runEvent({ type: "image_started", image, tasks: [] }));
  const cached = { ok: true, cached: true, duration_sec: 0, error: null };
  show(runEvent({ type: "image_finished", image, ...cached }));
  expect(screens).toMatchInlineSnapshot(`
    [
      "
      a.1            starting    0s
      ░░░░░░░░░░░░░░░░░░░  0/2  0 passed  0 failed  0 other  0s
    ",
      "
      a.1            starting    0s
      b.1            starting    0s
      ░░░░░░░░░░░░░░░░░░░  0/2  0 passed  0 failed  0 other  0s
    ",
      "
      image img  0s
      a.1            starting    0s
      b.1            starting    0s
      ░░░░░░░░░░░░░░░░░░░  0/2  0 passed  0 failed  0 other  0s
    ",
      "
      a.1            starting    0s
      b.1            starting    0s
      ░░░░░░░░░░░░░░░░░░░  0/2  0 passed  0 failed  0 other  0s

    ",
    ]
  `);
});

test("a terminal that is made narrower keeps nothing of the wider region", () => {
  const view = playUntilBusy(120);
  view.after(100);
  view.terminal.shrink(70);
  expect(view.after(1000)).toMatchInlineSnapshot(`
    "
    run demo  4 trials, agent ./my-agent, sandbox docker, 2 at a time

      hello-world.1      #2   running     3s  $ apt-get update && apt-ge…
      日本語.1           #1   verifying   1s  $ cat > a <<E↵x↵E
      a-task-with-quit…       starting    1s
      ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  0/4  0 passed  0 failed  0 other  3s



    "
  `);
});

test("image builds show their last line, and only slow or failed ones leave one", () => {
  const view = openView(60);
  const end = { type: "image_finished", ok: true, duration_sec: 5, error: null } as const;
  view.send(
    startRun(["a.1"]),
    runEvent({ type: "image_started", image: "old:1", tasks: ["a"] }),
    runEvent({ ...end, image: "old:1", cached: true }),
    runEvent({ type: "image_started", image: "registry.example/a/long/name:1", tasks: ["a"] }),
    runEvent({
      type: "image_progress",
      image: "registry.example/a/long/name:1",
      line: "\u001b[1mStep 3/7\u001b[0m : RUN pip install numpy scipy pandas\r",
    }),
  );
  expect(view.after(5000)).toMatchInlineSnapshot(`
    "
    run demo  1 trial, agent ./my-agent, sandbox docker, 2 at a
    time

      image registry.example/a/…  4s  Step 3/7 : RUN pip insta…
      ░░░░░░░░░░░░░░░░░░░  0/1  0 passed  0 failed  0 other  4s
    "
  `);
  view.send(runEvent({ ...end, image: "registry.example/a/long/name:1", cached: false }));
  expect(view.after(100)).toMatchInlineSnapshot(`
    "
    run demo  1 trial, agent ./my-agent, sandbox docker, 2 at a
    time
    image registry.example/a/long/name:1  ready after 5.0s

      ░░░░░░░░░░░░░░░░░░░  0/1  0 passed  0 failed  0 other  5s
    "
  `);
});

test("more trials than rows are counted, not drawn", () => {
  const view = openView(60, 8);
  const many = Array.from({ length: 20 }, (_, index) => `task-${index}.1`);
  view.send(startRun(many), ...many.map(startTrial));
  expect(view.after(100)).toMatchInlineSnapshot(`
    "
    run demo  20 trials, agent ./my-agent, sandbox docker, 2 at
    a time

      task-0.1        starting    0s
      task-1.1        starting    0s
      task-2.1        starting    0s
      … 17 more running
      ░░░░░░░░░░░░░░░░░░  0/20  0 passed  0 failed  0 other  0s
    "
  `);
});

test("a permanent text longer than the screen is kept whole", () => {
  const view = openView(60, 8);
  const results = Array.from({ length: 30 }, (_, index) => makeResult(`t${index}.1`, "passed"));
  view.send(startRun(results.map((result) => result.trial)), ...results.map(finishTrial));
  const text = view.after(100);
  for (const { trial } of results) expect(text).toContain(`✓ passed  ${trial}  `);
});

test("rows never pass the width, whatever the command", () => {
  for (const columns of [20, 40, 60, 61, 79, 80, 200]) {
    for (const command of [
      install,
      "日本語".repeat(99),
      "👩‍👩‍👧❤️".repeat(99),
      "\n\t\u001b".repeat(99),
    ]) {
      const view = openView(columns);
      view.send(startRun(trials), ...trials.map(startTrial), ...startStep("last.1", 100, command));
      // The head of the run may wrap; below it are a blank line, four rows and the bar.
      const rows = view.after(100).trimEnd().split("\n\n")[1]?.split("\n");
      expect(rows).toHaveLength(5);
      if (columns >= 60) expect(rows?.[3]).toContain("  $ ");
    }
  }
});

test("draws at most every 80 ms, and nothing when nothing changes", () => {
  const view = openView(80);
  view.send(startRun(trials), startTrial("last.1"));
  view.after(0);
  const before = view.terminal.writes;
  for (let step = 1; step <= 1000; step += 1) {
    view.send(...startStep("last.1", step, `echo ${step}`));
    view.after(1);
  }
  const during = view.terminal.writes - before;
  expect(during).toBeGreaterThan(10);
  expect(during).toBeLessThanOrEqual(13);
  view.after(80);
  const quiet = view.terminal.writes;
  view.after(10_000);
  expect(view.terminal.writes - quiet).toBeLessThanOrEqual(10);
});

test("leaves no timer behind", async () => {
  const view = openView(80);
  view.send(startRun(trials), startTrial("last.1"));
  await view.reporter.close?.();
  expect(vi.getTimerCount()).toBe(0);
  expect(view.after(0)).toBe(
    "\nrun demo  4 trials, agent ./my-agent, sandbox docker, 2 at a time\n",
  );
});

test("verbose lines scroll above as well", () => {
  const view = openView(80, 24, true);
  view.send(startRun(["a.1"]), startTrial("a.1"), ...startStep("a.1", 1, "ls", "Looking."));
  view.send(finishCommand("a.1", 1, 2));
  expect(view.after(100)).toMatchInlineSnapshot(`
    "
    run demo  1 trial, agent ./my-agent, sandbox docker, 2 at a time
      a.1 #1  > Looking.
      a.1 #1  $ ls  (exit 2, 0.1s)

      a.1       step 1   thinking    0s  $ ls
      ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  0/1  0 passed  0 failed  0 other  0s
    "
  `);
});

test("a terminal that breaks while a timer draws throws at the next event", () => {
  const reporter = createConsoleReporter({
    stream: {
      write() {
        throw new Error("gone");
      },
    },
    isTty: true,
    color: false,
  });
  reporter.event(startRun(trials));
  vi.advanceTimersByTime(5000);
  expect(() => reporter.event(startTrial("last.1"))).toThrow("gone");
});
