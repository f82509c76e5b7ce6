import { basename, join } from "node:path";
import PQueue from "p-queue";
import { messageOf, TermRunError } from "../errors.js";
import {
  FORMAT_VERSION,
  isFinal,
  type RunSummary,
  type TrialResult,
  writeJson,
} from "../events/index.js";
import { summarize } from "../score/index.js";
import { prepareImages } from "./prepare.js";
import { openRun, type RunContext } from "./run-context.js";
import { runTries } from "./tries.js";
import type { Run, RunPlan } from "./types.js";
import { withUncaught } from "./uncaught.js";

/** Starts a run; its log, redaction, watchdog and cancellation are its own. */
export async function startRun(plan: RunPlan): Promise<Run> {
  const context = await openRun(plan);
  const { log, cancellation } = context;
  const before = log.position;
  const warn = (error: unknown) =>
    void log.addRun({ type: "warning", text: `a bug in term-run: ${messageOf(error)}` });
  const done = withUncaught(warn, () => runToEnd(context));
  // The caller may read the events before it awaits `done`.
  done.catch(() => {});
  return {
    name: basename(plan.out),
    out: plan.out,
    events: (after = before, signal) => log.events(after, signal),
    cancel: (trial) => cancellation.cancel(trial),
    done,
  };
}

async function runToEnd(context: RunContext): Promise<RunSummary> {
  try {
    const kept = announce(context);
    const results = await runTrials(context, kept);
    return await conclude(context, results);
  } finally {
    await context.close();
  }
}

/** Logs what is going to run, and which results are kept from before. */
function announce({ plan, record, log, concurrency }: RunContext): TrialResult[] {
  log.addRun({
    type: "run_started",
    format_version: FORMAT_VERSION,
    run: record.run,
    out: plan.out,
    agent: record.agent.name,
    sandbox: plan.provider.kind,
    concurrency,
    trials: record.trials.map(({ trial }) => trial),
  });
  for (const text of plan.warnings ?? []) log.addRun({ type: "warning", text });
  const kept = plan.resumed?.results.filter(({ outcome }) => isFinal(outcome)) ?? [];
  for (const result of kept) log.addTrial(result.trial, { type: "trial_kept", result });
  return kept;
}

async function runTrials(context: RunContext, kept: TrialResult[]): Promise<TrialResult[]> {
  const { plan, cancellation, concurrency } = context;
  const results = new Map(kept.map((result) => [result.trial, result]));
  const left = plan.trials.filter(({ trial }) => !results.has(trial));
  await prepareImages(context, left);
  const queue = new PQueue({ concurrency });
  await queue.addAll(
    left.map((planned) => async () => {
      if (cancellation.signal.aborted) return;
      results.set(planned.trial, await runTries(context, planned));
    }),
  );
  return [...results.values()];
}

async function conclude(context: RunContext, results: TrialResult[]): Promise<RunSummary> {
  const { plan, record, log, redactor, cancellation, startedAt } = context;
  if (log.problem)
    throw new TermRunError("infra", `the run's log can't be written: ${log.problem.message}`, {
      hint: `Free up disk space, then finish the run: term-run --resume ${plan.out}`,
      cause: log.problem,
    });
  const summary = redactor.value(
    summarize({
      run: record.run,
      agent: record.agent.name,
      startedAt,
      finishedAt: new Date().toISOString(),
      interrupted: cancellation.signal.aborted,
      planned: record.trials.length,
      results,
      tasks: record.tasks,
      unreadable: record.unreadable,
    }),
  );
  await writeJson(join(plan.out, "summary.json"), summary);
  log.addRun({ type: "run_finished", summary });
  return summary;
}
