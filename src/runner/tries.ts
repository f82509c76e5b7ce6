import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  redactFolder,
  type TrialResult,
  traitsOf,
  trialFolder,
  writeJson,
} from "../events/index.js";
import { sumTries } from "../score/index.js";
import { describeFailure } from "./result.js";
import type { RunContext } from "./run-context.js";
import { runTrial } from "./trial.js";
import type { PlannedTrial, TrialContext } from "./types.js";

/** What is copied into the trial's folder. The log isn't listed: it is redacted as it is written. */
const COPIED = ["verifier", "verifier-repeated", "artifacts", "steps"];

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
    own = await runTrial(context);
    for (const name of COPIED) await redactFolder(join(dir, name), redactor);
  } catch (error) {
    own = describeFailure(context, error);
  }
  try {
    // The usage of earlier tries was paid for as well.
    spent.push(own.usage);
    const result = redactor.value({ ...own, usage: sumTries(spent) });
    const isRetried =
      traitsOf(result.outcome).again === "at_once" && mayRetry && !context.signal.aborted;
    const reason = result.error?.message ?? "unknown";
    if (isRetried) log.addTrial(trial, { type: "trial_retried", reason });
    else log.addTrial(trial, { type: "trial_finished", result });
    log.closeTrial(trial);
    await writeJson(join(dir, "result.json"), result);
    return { result, isRetried };
  } catch (error) {
    return { result: describeFailure(context, error), isRetried: false };
  }
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
