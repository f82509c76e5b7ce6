import { join } from "node:path";
import type { Sandbox, Task } from "../interfaces/index.js";
import { runAgentPhase } from "./agent-phase.js";
import { artifactsFolder, collectArtifacts } from "./artifacts.js";
import { explainFailure, isSettled } from "./failure.js";
import type { PhaseEnd } from "./steps.js";
import type { TrialPlan } from "./trial.js";
import type { UsageMeter } from "./usage.js";
import { type Verdict, verify } from "./verify.js";

export interface PartEnd {
  phase: PhaseEnd;
  verdict: Verdict | null;
  agentMs: number;
  verifierMs: number;
}

/** The agent's work on one instruction, and what the verifier says of it. */
export async function runPart(
  plan: TrialPlan,
  part: { task: Task; name: string | null },
  sandbox: Sandbox,
  usage: UsageMeter,
): Promise<PartEnd> {
  const { emit, signal } = plan;
  const { task } = part;
  const began = performance.now();
  await sandbox.useNetwork?.(task.agentNetwork ?? task.environment.network);
  let phase = await runAgentPhase(
    { ...plan, task, stderrFile: stderrFile(plan, part) },
    sandbox,
    usage,
  );
  const agentEnded = performance.now();
  let verdict: Verdict | null = null;
  if (phase.end !== "infra_error" && phase.end !== "cancelled") {
    try {
      const artifacts = await artifactsFolder(plan.dir, part.name);
      await collectArtifacts(task, sandbox, artifacts, { emit, signal });
      verdict = await verifyPart(plan, part, sandbox, artifacts);
    } catch (error) {
      const failure = explainFailure(error, signal);
      if (!isSettled(phase.end, plan.gradeTimeouts)) phase = { ...phase, ...failure };
      else emit({ type: "note", text: `there is no reward: ${failure.error?.message}` });
    }
  }
  const verifierMs = performance.now() - agentEnded;
  return { phase, verdict, agentMs: agentEnded - began, verifierMs };
}

async function verifyPart(
  plan: TrialPlan,
  { task, name }: { task: Task; name: string | null },
  sandbox: Sandbox,
  artifacts: string,
): Promise<Verdict> {
  const { emit, signal } = plan;
  const timeoutSec = task.verifier.timeoutSec * plan.limits.timeoutMultiplier;
  const logsDir = join(plan.dir, ...(name ? ["steps", name] : []), "verifier");
  const options = { task, timeoutSec, logsDir, emit, signal };
  if (!task.verifier.separate) return verify({ ...options, sandbox });
  await sandbox.endProcesses();
  const own = await plan.provider.create(
    { ...task, environment: task.verifier.separate, agentUser: task.verifier.user },
    { trial: `${plan.trial}.verifier`, run: plan.run, signal },
  );
  try {
    await bringArtifacts(own, task, artifacts);
    return await verify({ ...options, sandbox: own });
  } finally {
    await own.close();
  }
}

/** A verifier with a machine of its own sees of the agent's only what the task declares. */
async function bringArtifacts(sandbox: Sandbox, task: Task, dir: string): Promise<void> {
  const declared = [{ source: "/logs/artifacts", destination: null }, ...task.artifacts];
  for (const { source, destination } of declared) {
    const kept = join(dir, destination ?? source.replace(/^\/+/, ""));
    const parent = source.replace(/\/+[^/]*\/*$/, "") || "/";
    const name = kept.slice(kept.lastIndexOf("/") + 1);
    await sandbox.upload(join(kept, ".."), parent, [name]).catch(() => {});
  }
}

function stderrFile(plan: TrialPlan, { name }: { name: string | null }): string {
  return join(plan.dir, name ? `agent.${name}.stderr.log` : "agent.stderr.log");
}
