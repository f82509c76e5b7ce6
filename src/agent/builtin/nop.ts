import { logResponse } from "../log-response.js";
import { COMPLETED } from "../work-end.js";
import { createAgent } from "./create.js";

/** Completes at once: what a task scores when nothing is done. */
export const nop = createAgent("nop", async (_instruction, turn) => {
  turn.terminal.beginStep();
  logResponse(turn, { task_complete: true, text: "done" });
  return COMPLETED;
});
