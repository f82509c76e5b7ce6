import { messageOf, TermRunError } from "../errors.js";
import { type ErrorRecord, secondsOf } from "../events/index.js";
import { findRefusal } from "../sandbox/index.js";
import type { RunContext } from "./run-context.js";
import type { PlannedTrial } from "./types.js";

/** Builds or pulls the images of these trials, each once. Failures hit only the trials concerned. */
export async function prepareImages(
  { plan, log, cancellation }: RunContext,
  trials: PlannedTrial[],
): Promise<void> {
  const { provider } = plan;
  const tasks = [...new Set(trials.map(({ task }) => task))];
  const runnable = tasks.filter((task) => !task.unsupported && !findRefusal(task, provider));
  await provider.prepare(runnable, {
    signal: cancellation.signal,
    onStart: (image, names) => log.addRun({ type: "image_started", image, tasks: names }),
    onProgress: (image, line) => log.addRun({ type: "image_progress", image, line }),
    onFinish: (image, { ok, cached, durationMs, error }) =>
      log.addRun({
        type: "image_finished",
        image,
        ok,
        cached,
        duration_sec: secondsOf(durationMs),
        error: error ? errorRecord(error) : null,
      }),
  });
}

function errorRecord(error: unknown): ErrorRecord {
  if (error instanceof TermRunError)
    return { code: error.code, message: error.message, hint: error.hint };
  return { code: "infra", message: messageOf(error), hint: null };
}
