import { join } from "node:path";
import { endingOf } from "../agent/index.js";
import { redactFolder } from "../events/index.js";
import type { Sandbox, Task } from "../interfaces/index.js";
import { artifactsFolder, collectArtifacts } from "./artifacts.js";
import { isSettled } from "./settled.js";
import { runTurn, type Workplace } from "./turn.js";
import type { PartEnd, TrialContext, Verdict } from "./types.js";
import { verify } from "./verify.js";

/** A task, or one of its parts with its name. */
interface Part {
  task: Task;
  name: string | null;
  /** Whether nothing works in the sandbox after it. */
  isLast: boolean;
}

/** The agent's work on one instruction, and the verifier's verdict on it. */
export async function runPart(
  context: TrialContext,
  part: Part,
  workplace: Workplace,
): Promise<PartEnd> {
  const { emit, signal } = context;
  const { task } = part;
  const { sandbox } = workplace;
  const began = performance.now();
  await sandbox.useNetwork?.(task.agentNetwork ?? task.environment.network);
  let turn = await runTurn(context, task, workplace, stderrFile(context, part));
  const agentEnded = performance.now();
  let verdict: Verdict | null = null;
  if (turn.end !== "infra_error" && turn.end !== "cancelled") {
    try {
      if (!task.verifier.sameShell) await sandbox.endShell();
      const artifacts = await artifactsFolder(context.dir, part.name);
      // A separate verifier gets them as they are; they are redacted after that.
      const redactor = task.verifier.separate ? null : context.redactor;
      const limits = context.downloadLimits;
      try {
        await collectArtifacts(task, sandbox, artifacts, { emit, signal, limits, redactor });
        verdict = await verifyPart(context, part, sandbox, artifacts);
      } finally {
        if (!redactor) await redactFolder(artifacts, context.redactor);
      }
    } catch (error) {
      const failure = endingOf(error, signal);
      if (!isSettled(turn.end, context.gradeTimeouts)) turn = { ...turn, ...failure };
      else emit({ type: "note", text: `no reward: ${failure.error.message}` });
    }
  }
  const verifierMs = performance.now() - agentEnded;
  return { turn, verdict, agentMs: agentEnded - began, verifierMs };
}

async function verifyPart(
  context: TrialContext,
  { task, name, isLast }: Part,
  sandbox: Sandbox,
  artifacts: string,
): Promise<Verdict> {
  const { trial, run, limits, watchdog, emit, signal } = context;
  const timeoutSec = task.verifier.timeoutSec * limits.timeoutMultiplier;
  const logsDir = join(context.dir, ...(name ? ["steps", name] : []), "verifier");
  const { redactor, downloadLimits } = context;
  const options = { task, timeoutSec, logsDir, isLast, emit, signal, redactor, downloadLimits };
  if (!task.verifier.separate) return verify({ ...options, sandbox });
  await sandbox.endProcesses();
  const own = await context.provider.create({
    task: { ...task, environment: task.verifier.separate, agentUser: task.verifier.user },
    trial: `${trial}.verifier`,
    run,
    outputLimitBytes: limits.outputLimitBytes,
    watchdog,
    signal,
  });
  try {
    await uploadArtifacts(own, task, artifacts);
    return await verify({ ...options, sandbox: own, isLast: true });
  } finally {
    await own.close();
  }
}

/** A separate verifier gets only the artifacts that the task declares. */
async function uploadArtifacts(sandbox: Sandbox, task: Task, dir: string): Promise<void> {
  const declared = [{ source: "/logs/artifacts", destination: null }, ...task.artifacts];
  for (const { source, destination } of declared) {
    const kept = join(dir, destination ?? source.replace(/^\/+/, ""));
    const parent = source.replace(/\/+[^/]*\/*$/, "") || "/";
    const name = kept.slice(kept.lastIndexOf("/") + 1);
    await sandbox.upload(join(kept, ".."), parent, { only: [name] }).catch(() => {});
  }
}

function stderrFile({ dir }: TrialContext, { name }: Part): string {
  return join(dir, name ? `agent.${name}.stderr.log` : "agent.stderr.log");
}
