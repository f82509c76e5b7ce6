import type Docker from "dockerode";
import pTimeout from "p-timeout";
import { ignoreMissing } from "./missing.js";

/** Much may have to be deleted, on a busy machine; an engine that takes longer is stuck. */
const REMOVE_DEADLINE_MS = 300_000;

/** Removes a container with its anonymous volumes, unless it is gone. */
export function removeContainer(container: Docker.Container): Promise<void> {
  const removal = pTimeout(container.remove({ force: true, v: true }), {
    milliseconds: REMOVE_DEADLINE_MS,
    message: `the engine didn't remove ${container.id} within ${REMOVE_DEADLINE_MS / 1000} s`,
  });
  return ignoreMissing(removal);
}
