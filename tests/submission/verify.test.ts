import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TrialResult } from "../../src/events/records.js";
import type { LimitsRecord } from "../../src/events/rule-records.js";
import type { Task } from "../../src/interfaces/index.js";
import { type VerifyOptions, verifySubmission } from "../../src/submission/verify.js";
import { makeTasks } from "../support/stored-run.js";
import { makeFolder, makeSubmission, type Submission } from "./sealed.js";

const LIMITS: LimitsRecord = {
  max_steps: 100,
  max_invalid: 3,
  max_idle: 3,
  step_timeout_sec: 300,
  command_timeout_sec: 180,
  timeout_multiplier: 1,
  output_limit_bytes: 102_400,
};
const RULES: VerifyOptions = { rules: { limits: LIMITS, gradeTimeouts: false }, tasks: null };

// task-01 failed, the others passed.
const twice = makeTasks(4, 1).map((task) => ({
  ...task,
  outcomes: [...task.outcomes, ...task.outcomes],
}));
const FAILED = "trials/task-01.1";

async function problemsOf(submission: Submission, options = RULES): Promise<string[]> {
  const { ok, problems } = await verifySubmission(submission.dir, options);
  expect(ok).toBe(problems.length === 0);
  return problems.map(({ code, where, message }) => `${code}: ${where}: ${message}`);
}

const asPassed = (result: TrialResult): TrialResult => ({
  ...result,
  outcome: "passed",
  reward: 1,
  rewards: { reward: 1 },
});

test("an honest submission is valid", async () => {
  expect(await problemsOf(await makeSubmission({ tasks: twice, costUsd: 0.1 }))).toEqual([]);
});

test("every outcome can be scored again from its log", async () => {
  const tasks = [
    { task: "a", outcomes: ["passed", "failed", "agent_timeout", "agent_crashed"] as const },
    { task: "b", outcomes: ["verifier_error", "idle", "max_steps", "infra_error"] as const },
    { task: "c", outcomes: ["cancelled", "invalid_output", "passed", "passed"] as const },
  ].map(({ task, outcomes }) => ({ task, outcomes: [...outcomes] }));
  expect(await problemsOf(await makeSubmission({ tasks }))).toEqual([]);
});

interface Forgery {
  name: string;
  forge: (submission: Submission) => void;
  /** With a manifest that matches again. */
  refused: RegExp;
}

const FORGERIES: Forgery[] = [
  {
    name: "an edited reward",
    forge: (submission) => submission.edit(`${FAILED}/result.json`, asPassed),
    refused: /score: task-01\.1: result\.json: outcome is "passed", but "failed" in its log/,
  },
  {
    name: "an edited reward, in the log's result and the summary too",
    forge: (submission) => {
      submission.edit(`${FAILED}/result.json`, asPassed);
      submission.editLog(`${FAILED}/events.jsonl`, (event) =>
        event.type === "trial_finished" ? { ...event, result: asPassed(event.result) } : event,
      );
      submission.edit("summary.json", (summary) => {
        summary.outcomes.passed++;
        summary.outcomes.failed--;
        summary.pass_rate.passed++;
        summary.pass_rate.value = summary.pass_rate.passed / summary.pass_rate.of;
      });
    },
    refused: /score: task-01\.1: reward is 1, but 0 according to the events in its log/,
  },
  {
    name: "an outcome that contradicts the way the agent ended",
    forge: (submission) => {
      const asInfra = (result: TrialResult): TrialResult => ({ ...result, outcome: "infra_error" });
      submission.edit(`${FAILED}/result.json`, asInfra);
      submission.editLog(`${FAILED}/events.jsonl`, (event) =>
        event.type === "trial_finished" ? { ...event, result: asInfra(event.result) } : event,
      );
    },
    refused: /score: task-01\.1: the outcome is infra_error, but failed according to its log/,
  },
  {
    name: "totals that nobody earned",
    forge: (submission) =>
      submission.edit("summary.json", (summary) => {
        summary.pass_rate.value = 1;
      }),
    refused: /score: summary\.json: pass_rate\.value is 1, but 0\.75 according to the trials' logs/,
  },
  {
    name: "a missing trial",
    forge: (submission) => submission.remove(FAILED),
    refused: /missing: task-01\.1: the trial's result or log is missing/,
  },
  {
    name: "a missing trial that run.json does not name any more",
    forge: (submission) => {
      submission.remove(FAILED);
      submission.edit("run.json", (record) => {
        record.trials = record.trials.filter(
          ({ trial }: { trial: string }) => trial !== "task-01.1",
        );
      });
    },
    refused: /missing: task-01\.1: the trial is in the run's log, but not in run\.json/,
  },
  {
    name: "a missing attempt, wiped from the log as well",
    forge: (submission) => {
      submission.remove(FAILED);
      submission.edit("run.json", (record) => {
        record.trials = record.trials.filter(
          ({ trial }: { trial: string }) => trial !== "task-01.1",
        );
      });
      submission.editLog("events.jsonl", (event) =>
        event.type === "run_started"
          ? { ...event, trials: event.trials.filter((trial) => trial !== "task-01.1") }
          : event,
      );
    },
    refused: /missing: task-01\.1: the trial is not in run\.json/,
  },
  {
    name: "a raised timeout",
    forge: (submission) =>
      submission.edit("run.json", (record) => {
        record.limits.step_timeout_sec = 3000;
      }),
    refused: /limits: run\.json: step_timeout_sec is 3000, but 300 is required/,
  },
  {
    name: "a raised timeout that run.json denies",
    forge: (submission) =>
      submission.editLog(`${FAILED}/events.jsonl`, (event) =>
        event.type === "response" ? { ...event, duration_sec: 900 } : event,
      ),
    refused: /limits: task-01\.1: its log shows 900 seconds for a response, but the limit is 300/,
  },
  {
    name: "more steps than allowed",
    forge: (submission) =>
      submission.editLog(`${FAILED}/events.jsonl`, (event) =>
        event.type === "step_started" ? { ...event, step: 150 } : event,
      ),
    refused: /limits: task-01\.1: its log shows 150 steps, but the limit is 100/,
  },
  {
    name: "graded timeouts",
    forge: (submission) =>
      submission.edit("run.json", (record) => {
        record.grade_timeouts = true;
      }),
    refused: /limits: run\.json: grade_timeouts is true, but false is required/,
  },
  {
    name: "a swapped task",
    forge: (submission) =>
      submission.edit(`${FAILED}/result.json`, (result) => {
        result.task_digest = "easier";
      }),
    refused: /score: task-01\.1: task_digest is "digest-of-task-01", but "easier" in result\.json/,
  },
  {
    name: "the log of another trial",
    forge: (submission) =>
      cpSync(
        join(submission.dir, "trials/task-02.1/events.jsonl"),
        join(submission.dir, FAILED, "events.jsonl"),
      ),
    refused: /score: task-01\.1: its log belongs to another trial/,
  },
  {
    name: "a second verdict behind the first",
    forge: (submission) => {
      const log = join(submission.dir, FAILED, "events.jsonl");
      const verdict = { time: "", trial: "task-01.1", type: "verifier_finished", reward: 1 };
      writeFileSync(log, `${JSON.stringify(verdict)}\n`, { flag: "a" });
    },
    refused: /score: task-01\.1: its log has more than one verifier_finished/,
  },
  {
    name: "a trial that ran again until it passed",
    forge: (submission) =>
      cpSync(join(submission.dir, FAILED), join(submission.dir, "trials/task-02.1.try1"), {
        recursive: true,
      }),
    refused: /score: task-02\.1: it was run again although it had ended as failed/,
  },
  {
    name: "cheaper than it was",
    forge: (submission) => {
      const cheap = (result: TrialResult): TrialResult => ({
        ...result,
        usage: { models: ["model-x"], input_tokens: 1, output_tokens: 1, cost_usd: 0 },
      });
      submission.edit(`${FAILED}/result.json`, cheap);
      submission.editLog(`${FAILED}/events.jsonl`, (event) =>
        event.type === "trial_finished" ? { ...event, result: cheap(event.result) } : event,
      );
    },
    refused:
      /score: task-01\.1: usage\.input_tokens is 1, but 1000 according to the events in its log/,
  },
  {
    name: "another agent's name on it",
    forge: (submission) =>
      submission.edit("run.json", (record) => {
        record.agent = { name: "famous", spec: "famous" };
      }),
    refused: /score: task-01\.1: agent is "famous", but "my-agent" in its log/,
  },
  {
    name: "a name that leads out of the folder",
    forge: (submission) =>
      submission.edit("run.json", (record) => {
        record.trials[0].trial = "../../elsewhere";
      }),
    refused: /unreadable: .*"\.\.\/\.\.\/elsewhere" is not a valid trial name/,
  },
  {
    name: "a run.json that is none",
    forge: (submission) => submission.edit("run.json", () => ({ trials: [{ trial: "a.1" }] })),
    refused: /unreadable: /,
  },
  {
    name: "no log of the run",
    forge: (submission) => submission.remove("events.jsonl"),
    refused: /missing: events\.jsonl: the log does not have the start of the run/,
  },
];

describe("a forged submission is refused", () => {
  test.each(FORGERIES)("$name", async ({ forge, refused }) => {
    const submission = await makeSubmission({ tasks: twice, costUsd: 0.1 });
    forge(submission);
    // First the hashes reveal it; with a new manifest only its own logs do.
    expect((await problemsOf(submission)).join("\n")).toMatch(/^(altered|missing|unexpected): /m);
    await submission.reseal();
    expect((await problemsOf(submission)).join("\n")).toMatch(refused);
  });
});

test("a run that was made with other limits is refused, unless they are expected", async () => {
  const submission = await makeSubmission({ tasks: twice, limits: { command_timeout_sec: 900 } });
  expect(await problemsOf(submission)).toEqual([
    "limits: run.json: command_timeout_sec is 900, but 180 is required",
  ]);
  const limits = { ...LIMITS, command_timeout_sec: 900 };
  expect(
    await problemsOf(submission, { ...RULES, rules: { limits, gradeTimeouts: false } }),
  ).toEqual([]);
  expect(await problemsOf(submission, { ...RULES, rules: null })).toEqual([]);
});

describe("with the tasks available", () => {
  const task = (name: string, more: Partial<Task> = {}) =>
    ({ name, digest: `digest-of-${name}`, agentTimeoutSec: null, ...more }) as Task;
  const all = ["task-01", "task-02", "task-03", "task-04"].map((name) => task(name));

  test.each<[string, Task[], string[]]>([
    ["all of them", all, []],
    [
      "another version",
      [...all.slice(1), task("task-01", { digest: "x" })],
      ["tasks: task-01: it was run with different files: digest-of-task-01"],
    ],
    ["one more", [...all, task("task-05")], ["tasks: task-05: it was not run"]],
    ["one less", all.slice(1), ["tasks: task-01: it is not in the task set"]],
    [
      "one with less time",
      [...all.slice(1), task("task-01", { agentTimeoutSec: 5 })],
      [
        "limits: task-01.1: its log shows 98 seconds for the agent, but the limit is 5",
        "limits: task-01.2: its log shows 98 seconds for the agent, but the limit is 5",
      ],
    ],
  ])("%s", async (_name, tasks, problems) => {
    const submission = await makeSubmission({ tasks: twice, seconds: 100 });
    expect(await problemsOf(submission, { ...RULES, tasks })).toEqual(problems);
  });
});

test("a file that nobody submitted, and a link", async () => {
  const submission = await makeSubmission({ tasks: twice });
  writeFileSync(join(submission.dir, "extra.sh"), "");
  symlinkSync("/etc/hostname", join(submission.dir, "link"));
  expect(await problemsOf(submission)).toEqual([
    "unexpected: link: it is neither a file nor a folder",
    "unexpected: extra.sh: the file is not in the manifest",
  ]);
});

test("a folder without a manifest is not a submission", async () => {
  await expect(verifySubmission(makeFolder(), RULES)).rejects.toThrow("is not a submission");
});
