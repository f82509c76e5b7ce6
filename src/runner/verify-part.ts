import { join } from "node:path";
import type { Sandbox, Task } from "../interfaces/index.js";
import type { LookOptions } from "./look.js";
import type { Part, TrialContext, Verdict } from "./types.js";
import { verify, verifyFresh } from "./verify.js";

/** Verifies a part where its task wants it: in a sandbox of its own, a fresh one, or the agent's. */
export async function verifyPart(
  context: TrialContext,
  { task, name, isLast }: Part,
  sandbox: Sandbox,
  artifacts: string,
): Promise<Verdict> {
  const { limits, downloadLimits, redactor, strict, emit, signal } = context;
  const timeoutSec = task.verifier.timeoutSec * limits.timeoutMultiplier;
  const logsDir = join(context.dir, ...(name ? ["steps", name] : []), "verifier");
  const copying = { logsDir, downloadLimits, redactor };
  const options = { task, sandbox, timeoutSec, ...copying, isLast, emit, signal };
  if (task.verifier.separate) return verifySeparately(context, options, artifacts);
  return task.verifier.processes === "end" ? verifyFresh(options) : verify({ ...options, strict });
}

async function verifySeparately(
  { trial, run, provider, limits, watchdog, signal }: TrialContext,
  options: LookOptions,
  artifacts: string,
): Promise<Verdict> {
  const { task, sandbox } = options;
  await sandbox.endProcesses();
  const there = taskOfVerifier(task);
  const own = await provider.create({
    task: there,
    trial: `${trial}.verifier`,
    run,
    outputLimitBytes: limits.outputLimitBytes,
    watchdog,
    signal,
  });
  try {
    await uploadArtifacts(own, task, artifacts);
    return await verify({ ...options, task: there, sandbox: own, isLast: true, strict: false });
  } finally {
    await own.close();
  }
}

/** The task as the sandbox of a separate verifier has it: nothing but its verification. */
function taskOfVerifier(task: Task): Task {
  const verifier = { ...task.verifier, separate: null };
  return {
    ...task,
    environment: task.verifier.separate ?? task.environment,
    agentUser: verifier.user,
    agentNetwork: verifier.network,
    verifier,
  };
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
