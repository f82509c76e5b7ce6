import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Redactor, RunLog, type RunRecord, writeJson } from "../events/index.js";
import type { Limits } from "../interfaces/index.js";
import type { Leash } from "../leash/index.js";
import { Watchdog } from "../process/index.js";
import { Cancellation } from "./cancellation.js";
import { leashFor } from "./leash.js";
import { DEFAULT_LIMITS } from "./limits.js";
import { describeRun } from "./record.js";
import type { RunPlan } from "./types.js";

/** Everything that belongs to one run and is shared with no other. */
export interface RunContext {
  plan: RunPlan;
  record: RunRecord;
  limits: Limits;
  concurrency: number;
  startedAt: string;
  log: RunLog;
  redactor: Redactor;
  watchdog: Watchdog;
  leash: Leash | null;
  cancellation: Cancellation;
  /** Releases everything. */
  close(): Promise<void>;
}

export async function openRun(plan: RunPlan): Promise<RunContext> {
  const startedAt = new Date().toISOString();
  const redactor = new Redactor(plan.secrets);
  const limits = { ...DEFAULT_LIMITS, ...plan.limits };
  const record = plan.resumed?.record ?? redactor.value(describeRun(plan, limits, startedAt));
  await mkdir(plan.out, { recursive: true });
  const cancellation = new Cancellation();
  const watchdog = new Watchdog();
  const log = new RunLog(plan.out, { redactor, onFailure: () => cancellation.cancel() });
  const cancel = () => cancellation.cancel();
  plan.signal?.addEventListener("abort", cancel);
  if (plan.signal?.aborted) cancel();
  const close = async () => {
    plan.signal?.removeEventListener("abort", cancel);
    try {
      await plan.provider.close();
    } finally {
      watchdog.dismiss();
      log.close();
    }
  };
  try {
    // A resumed run keeps its original plan.
    if (!plan.resumed) await writeJson(join(plan.out, "run.json"), record);
  } catch (error) {
    await close();
    throw error;
  }
  const concurrency = plan.concurrency ?? 1;
  return {
    plan,
    record,
    limits,
    concurrency,
    startedAt,
    log,
    redactor,
    watchdog,
    leash: leashFor(plan),
    cancellation,
    close,
  };
}
