import { TermRunError } from "../errors.js";
import type { Fault, Sandbox } from "../interfaces/index.js";

/**
 * What the agent did that made an operation fail after its first step; null if the cause is out of
 * its reach. The machine under the sandbox is looked at, and doubt counts against the agent: it
 * must not be able to void a failure.
 */
export async function findAgentsFault(
  error: unknown,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<Fault | null> {
  if (signal.aborted) return null;
  if (error instanceof TermRunError && error.code !== "infra") return null;
  const fault = await sandbox.findFault();
  return fault.by === "agent" ? fault : null;
}
