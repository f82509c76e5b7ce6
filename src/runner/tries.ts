import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../errors.js";
import { stageJson, type TrialResult, traitsOf, trialFolder } from "../events/index.js";
import { DEFAULT_DOWNLOAD_LIMITS } from "../sandbox/index.js";
import { sumTries } from "../score/index.js";
import { describeFailure } from "./result.js";
import type { RunContext } from "./run-context.js";
import { runTrial } from "./trial.js";
import type { PlannedTrial, TrialContext } from "./types.js";
import { isolate } from "./uncaught.js";

/**
 * Runs a trial, and again after an infrastructure error. It never rejects: whatever goes wrong
 * with this trial becomes its result, and the other trials continue.
 */
export async function runTries(run: RunContext, planned: PlannedTrial): Promise<TrialResult> {
  const retries = run.plan.retries ?? 0;
  const spent: TrialResult["usage"][] = [];
  for (let number = 1; ; number++) {
    const mayRetry = number <= retries && !run.cancellation.signalOf(planned.trial).aborted;
    const { result, isRetried } = await runTry(run, planned, { number, mayRetry, spent });
    if (!isRetried) return result;
  }
}

async function runTry(
  run: RunContext,
  planned: PlannedTrial,
  { number, mayRetry, spent }: { number: number; mayRetry: boolean; spent: TrialResult["usage"][] },
): Promise<{ result: TrialResult; isRetried: boolean }> {
  const { plan, log, redactor } = run;
  const { trial } = planned;
  const dir = trialFolder(plan.out, trial);
  const context = trialContext(run, planned, number, dir);
  let own: TrialResult;
  try {
    await setAside(dir);
    await mkdir(dir, { recursive: true });
    log.openTrial(trial);
    own = await runAlone(context);
  } catch (error) {
    own = describeFailure(context, error);
  }
  // The usage of earlier tries was paid for as well.
  spent.push(own.usage);
  const complete = (result: TrialResult) => redactor.value({ ...result, usage: sumTries(spent) });
  let result = complete(own);
  const file = join(dir, "result.json");
  // Whoever sees the end of a trial can rely on its result.
  const show = await stageJson(file, result).catch((error) => {
    result = complete({ ...own, ...unwritten(error) });
    return null;
  });
  const isRetried =
    traitsOf(result.outcome).again === "at_once" && mayRetry && !context.signal.aborted;
  const reason = result.error?.message ?? "unknown";
  if (isRetried) log.addTrial(trial, { type: "trial_retried", reason });
  else log.addTrial(trial, { type: "trial_finished", result });
  log.closeTrial(trial);
  try {
    if (show) await show();
  } catch (error) {
    result = complete({ ...own, ...unwritten(error) });
    log.addRun({ type: "warning", text: `${trial}: ${result.error?.message}` });
  }
  return { result, isRetried };
}

/** What nothing in this trial catches becomes its result, and doesn't reach the others. */
async function runAlone(context: TrialContext): Promise<TrialResult> {
  const { value, failure } = await isolate(context.signal, (signal) =>
    runTrial({ ...context, signal }),
  );
  if (failure === null) return value as TrialResult;
  context.emit({ type: "note", text: (failure.cause as Error)?.stack ?? failure.message });
  const failed = describeFailure(context, failure);
  if (value === null) return failed;
  const { outcome, error } = failed;
  return { ...value, outcome, error, reward: null, rewards: null };
}

/** A trial whose result can't be stored has none, whatever it came to. */
function unwritten(cause: unknown): Partial<TrialResult> {
  const isFull = ["ENOSPC", "EDQUOT"].includes((cause as NodeJS.ErrnoException).code ?? "");
  const why = isFull ? "the disk is full" : messageOf(cause);
  const hint = isFull ? "Free up disk space, then run term-run --resume FOLDER." : null;
  const error = { code: "infra", message: `the result could not be written: ${why}`, hint };
  return { outcome: "infra_error", reward: null, rewards: null, error };
}

function trialContext(
  { plan, record, limits, log, redactor, watchdog, leash, cancellation }: RunContext,
  planned: PlannedTrial,
  number: number,
  dir: string,
): TrialContext {
  return {
    ...planned,
    run: record.run,
    try: number,
    provider: plan.provider,
    limits,
    downloadLimits: { ...DEFAULT_DOWNLOAD_LIMITS, ...plan.downloadLimits },
    gradeTimeouts: plan.gradeTimeouts ?? false,
    strict: record.strict ?? false,
    keep: plan.keep ?? false,
    dir,
    redactor,
    watchdog,
    leash,
    emit: (body) => void log.addTrial(planned.trial, body),
    signal: cancellation.signalOf(planned.trial),
  };
}

/** The folder of an earlier try is kept beside the new one. */
async function setAside(dir: string): Promise<void> {
  if (!existsSync(dir)) return;
  let number = 1;
  while (existsSync(`${dir}.try${number}`)) number++;
  await rename(dir, `${dir}.try${number}`);
  await rm(join(`${dir}.try${number}`, "result.json.tmp"), { force: true });
}
