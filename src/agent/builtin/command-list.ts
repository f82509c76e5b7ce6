import type { Agent, Task, Turn, WorkEnd } from "../../interfaces/index.js";
import { logResponse } from "../log-response.js";
import { COMPLETED } from "../work-end.js";
import { WorkStopped } from "../work-stopped.js";
import { createAgent } from "./create.js";

/** Runs given command lines for a person, the same ones in each part of a task. */
export function commandList(commands: string[], onBegin: (task: Task) => void): Agent {
  return createAgent("person", (_instruction, turn) => {
    onBegin(turn.task);
    return runCommands(commands, turn, { timeoutMs: Number.POSITIVE_INFINITY });
  });
}

/** Runs commands one after another, each in a step of its own, and is done after the last one. */
export async function runCommands(
  commands: readonly string[],
  turn: Turn,
  { text = null, ...limit }: { text?: string | null; timeoutMs?: number } = {},
): Promise<WorkEnd> {
  const { terminal } = turn;
  if (commands.length === 0) {
    terminal.beginStep();
    logResponse(turn, { task_complete: true, text });
  }
  for (const [at, command] of commands.entries()) {
    if (at > 0 && turn.timeLeft() <= 0) throw WorkStopped.byTime();
    terminal.beginStep();
    logResponse(turn, { command, task_complete: at === commands.length - 1, text });
    if (command.trim() !== "") await terminal.run(command, limit);
  }
  return COMPLETED;
}
