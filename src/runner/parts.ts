import { join } from "node:path";
import { TermRunError } from "../errors.js";
import type { Sandbox, TaskPart } from "../interfaces/index.js";
import { quote } from "../shell-words.js";
import { awaitHealth } from "./healthcheck.js";
import { type PartEnd, runPart } from "./part.js";
import type { TrialPlan } from "./trial.js";
import type { UsageMeter } from "./usage.js";
import type { Verdict } from "./verify.js";

/** Does an ordinary task, or the parts of one with several, in the same sandbox. */
export async function runParts(
  plan: TrialPlan,
  sandbox: Sandbox,
  usage: UsageMeter,
): Promise<PartEnd> {
  const { task } = plan;
  if (!task.steps) return runPart(plan, { task, name: null }, sandbox, usage);
  const ends: PartEnd[] = [];
  for (const [at, part] of task.steps.parts.entries()) {
    const name = partName(part, at);
    const { strategy, parts } = task.steps;
    plan.emit({ type: "part_started", part: name, number: at + 1, of: parts.length, strategy });
    await prepare(plan, part, sandbox);
    const end = await runPart(plan, { task: part.task, name }, sandbox, usage);
    ends.push(end);
    if (isLast(end, part)) break;
  }
  return combine(ends, task.steps.strategy);
}

function partName(part: TaskPart, at: number): string {
  return part.task.name.split("/").at(-1) ?? String(at + 1);
}

async function prepare(plan: TrialPlan, part: TaskPart, sandbox: Sandbox): Promise<void> {
  const { signal } = plan;
  const user = part.task.agentUser;
  if (part.filesDir) {
    await sandbox.upload(part.filesDir, sandbox.workdir);
    const setup = quote(join(sandbox.workdir, "setup.sh"));
    const { exitCode, output } = await sandbox.exec(`[ ! -f ${setup} ] || bash ${setup}`, {
      timeoutMs: part.task.environment.buildTimeoutSec * 1000,
      cwd: sandbox.workdir,
      user,
      signal,
    });
    if (exitCode !== 0)
      throw new TermRunError("infra", `setup.sh of a step failed (${exitCode}): ${output}`);
  }
  if (part.healthcheck) await awaitHealth(sandbox, part.healthcheck, { user, signal });
}

/** The next part begins only on what this one has reached. */
function isLast({ phase, verdict }: PartEnd, part: TaskPart): boolean {
  if (phase.end === "infra_error" || phase.end === "cancelled") return true;
  if (!verdict || verdict.reward === null) return true;
  const rewards = verdict.rewards ?? {};
  return Object.entries(part.minReward ?? {}).some(
    ([key, least]) => !((rewards[key] ?? Number.NEGATIVE_INFINITY) >= least),
  );
}

/** One end of many: the first cause of a failure, all steps, the rewards by the task's rule. */
export function combine(ends: PartEnd[], strategy: "mean" | "final"): PartEnd {
  const last = ends.at(-1) as PartEnd;
  const spoiled = ends.find(({ phase }) => phase.end !== "completed");
  const sum = (pick: (end: PartEnd) => number) => ends.reduce((total, end) => total + pick(end), 0);
  const verdicts = ends.map(({ verdict }) => verdict);
  return {
    phase: { ...(spoiled ?? last).phase, steps: sum(({ phase }) => phase.steps) },
    verdict: strategy === "final" ? last.verdict : average(verdicts),
    agentMs: sum(({ agentMs }) => agentMs),
    verifierMs: sum(({ verifierMs }) => verifierMs),
  };
}

/** Key by key over the parts that have a verdict; a key that one of them lacks counts 0 there. */
function average(verdicts: (Verdict | null)[]): Verdict | null {
  const failed = verdicts.find((verdict) => verdict?.error);
  if (failed) return failed;
  const known = verdicts.filter((verdict): verdict is Verdict => verdict !== null);
  if (known.length === 0) return null;
  const keys = [...new Set(known.flatMap(({ rewards }) => Object.keys(rewards ?? {})))];
  const mean = (pick: (verdict: Verdict) => number) =>
    known.reduce((total, verdict) => total + pick(verdict), 0) / known.length;
  return {
    reward: mean(({ reward }) => reward ?? 0),
    rewards: Object.fromEntries(
      keys.map((key) => [key, mean(({ rewards }) => rewards?.[key] ?? 0)]),
    ),
    error: null,
  };
}
