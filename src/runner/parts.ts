import { join } from "node:path";
import { TermRunError } from "../errors.js";
import type { Sandbox, TaskPart } from "../interfaces/index.js";
import { quote } from "../shell-words.js";
import { awaitHealth } from "./healthcheck.js";
import { runPart } from "./part.js";
import type { Workplace } from "./turn.js";
import type { PartEnd, TrialContext, Verdict } from "./types.js";

/** Runs an ordinary task, or the parts of one with several, in the same sandbox. */
export async function runParts(context: TrialContext, workplace: Workplace): Promise<PartEnd> {
  const { task, emit } = context;
  if (!task.parts) return runPart(context, { task, name: null, isLast: true }, workplace);
  const { strategy, list } = task.parts;
  const ends: PartEnd[] = [];
  for (const [at, part] of list.entries()) {
    const name = partName(part, at);
    const { instruction } = part.task;
    const place = { part: name, number: at + 1, of: list.length };
    emit({ type: "part_started", ...place, strategy, instruction });
    await prepare(context, part, workplace.sandbox);
    const isLast = at === list.length - 1;
    const end = await runPart(context, { task: part.task, name, isLast }, workplace);
    ends.push(end);
    if (mustStop(end, part)) break;
  }
  return combine(ends, strategy);
}

function partName(part: TaskPart, at: number): string {
  return part.task.name.split("/").at(-1) ?? String(at + 1);
}

async function prepare({ signal }: TrialContext, part: TaskPart, sandbox: Sandbox): Promise<void> {
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
      throw new TermRunError(
        "infra",
        `setup.sh of the part ${part.task.name} failed (exit code ${exitCode}): ${output}`,
      );
  }
  if (part.healthcheck) await awaitHealth(sandbox, part.healthcheck, { user, signal });
}

/** The next part starts only if this one reached its minimum reward. */
function mustStop({ turn, verdict }: PartEnd, part: TaskPart): boolean {
  if (turn.end === "infra_error" || turn.end === "cancelled") return true;
  if (!verdict || verdict.reward === null) return true;
  const rewards = verdict.rewards ?? {};
  return Object.entries(part.minReward ?? {}).some(
    ([key, least]) => !((rewards[key] ?? Number.NEGATIVE_INFINITY) >= least),
  );
}

/** The end of all parts: the first failure's cause, all steps, the rewards combined by the task's strategy. */
export function combine(ends: PartEnd[], strategy: "mean" | "final"): PartEnd {
  const last = ends.at(-1) as PartEnd;
  const firstFailure = ends.find(({ turn }) => turn.end !== "completed");
  const sum = (pick: (end: PartEnd) => number) => ends.reduce((total, end) => total + pick(end), 0);
  const verdicts = ends.map(({ verdict }) => verdict);
  return {
    turn: { ...(firstFailure ?? last).turn, steps: sum(({ turn }) => turn.steps) },
    verdict: withProcesses(strategy === "final" ? last.verdict : average(verdicts), verdicts),
    agentMs: sum(({ agentMs }) => agentMs),
    verifierMs: sum(({ verifierMs }) => verifierMs),
  };
}

/** A trial relies on the agent's processes if a part does. */
function withProcesses(verdict: Verdict | null, all: (Verdict | null)[]): Verdict | null {
  const known = all.flatMap((one) => one?.reliesOnProcesses ?? []);
  return verdict && known.length > 0
    ? { ...verdict, reliesOnProcesses: known.includes(true) }
    : verdict;
}

/** Key by key over the parts that have a verdict; a key that a part lacks counts as 0 there. */
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
