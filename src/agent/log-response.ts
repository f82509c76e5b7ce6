import { secondsOf } from "../events/index.js";
import type { Turn } from "../interfaces/index.js";
import type { StepResponse } from "../protocol/index.js";

/** Logs what an agent decided in the current step, whether it is a program or built in. */
export function logResponse(
  { emit, terminal }: Pick<Turn, "emit" | "terminal">,
  response: Partial<StepResponse>,
  tookMs = 0,
): void {
  const { command = null, task_complete = false, text = null, data = null, extra = {} } = response;
  const { steps: step } = terminal;
  const duration_sec = secondsOf(tookMs);
  emit({ type: "response", step, command, task_complete, text, data, extra, duration_sec });
}
