import type Docker from "dockerode";
import pTimeout from "p-timeout";
import { asInfraError, messageOf, TermRunError } from "../../errors.js";
import type { Fault } from "../../interfaces/index.js";

/** An engine that takes longer to answer is stuck. */
const ANSWER_DEADLINE_MS = 30_000;

/**
 * Looks why something failed in a container. What runs in it can't stop it or the engine, except by
 * using up its memory; where both still work, it was what the agent left.
 */
export async function findContainerFault(
  docker: Docker,
  container: Docker.Container,
  tryProcess: () => Promise<void>,
): Promise<Fault> {
  const host = (reason: string): Fault => ({ by: "host", reason, isFinal: true });
  try {
    await inTime(docker.ping());
  } catch (error) {
    return host(`the Docker engine doesn't answer: ${messageOf(error)}`);
  }
  const state = await inTime(container.inspect()).catch(() => null);
  if (!state) return host(`the container ${container.id} was removed from outside`);
  if (!state.State.Running)
    return state.State.OOMKilled
      ? { by: "agent", reason: "the sandbox ran out of memory", isFinal: true }
      : host(`the container ${container.id} was stopped from outside`);
  try {
    await inTime(tryProcess());
    return { by: "agent", reason: "the sandbox still works", isFinal: false };
  } catch (error) {
    return host(`no process can be started in ${container.id}: ${messageOf(error)}`);
  }
}

/** What to say of a failed call: a container that is no longer running is an infrastructure error. */
export async function explainFailure(
  container: Docker.Container,
  error: unknown,
): Promise<TermRunError> {
  const state = await inTime(container.inspect()).catch(() => null);
  if (state?.State.Running) return asInfraError(error, "no process could be started");
  const why = state?.State.OOMKilled ? "it ran out of memory" : "it was stopped from outside";
  return new TermRunError("infra", `the container ${container.id} is no longer running: ${why}`, {
    cause: error,
  });
}

function inTime<T>(work: Promise<T>): Promise<T> {
  return pTimeout(work, {
    milliseconds: ANSWER_DEADLINE_MS,
    message: `no answer within ${ANSWER_DEADLINE_MS / 1000} s`,
  });
}
