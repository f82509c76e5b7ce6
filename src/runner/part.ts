import { join } from "node:path";
import { endingOf } from "../agent/index.js";
import { messageOf } from "../errors.js";
import { type ErrorRecord, redactFolder } from "../events/index.js";
import type { Fault } from "../interfaces/index.js";
import { artifactsFolder, collectArtifacts } from "./artifacts.js";
import { findAgentsFault } from "./blame.js";
import { isSettled } from "./settled.js";
import { runTurn, type Workplace } from "./turn.js";
import type { Part, PartEnd, TrialContext, TurnEnd, Verdict } from "./types.js";
import { verifyPart } from "./verify-part.js";

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
      const fault = turn.steps > 0 ? await findAgentsFault(error, sandbox, signal) : null;
      const failure = fault ? brokenBy(error, fault) : endingOf(error, signal);
      if (!isSettled(turn.end, context.gradeTimeouts)) turn = { ...turn, ...failure };
      else emit({ type: "note", text: `no reward: ${failure.error.message}` });
    }
  }
  const verifierMs = performance.now() - agentEnded;
  return { turn, verdict, agentMs: agentEnded - began, verifierMs };
}

/** The end of a part whose sandbox the agent left so that it can't be verified. */
function brokenBy(error: unknown, fault: Fault): Pick<TurnEnd, "end"> & { error: ErrorRecord } {
  const message = `the sandbox that the agent left can't be verified: ${fault.isFinal ? fault.reason : messageOf(error)}`;
  return { end: "failed", error: { code: "failed", message, hint: null } };
}

function stderrFile({ dir }: TrialContext, { name }: Part): string {
  return join(dir, name ? `agent.${name}.stderr.log` : "agent.stderr.log");
}
