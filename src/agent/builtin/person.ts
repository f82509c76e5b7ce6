import type { ReadStream, WriteStream } from "node:tty";
import type { Agent, Task } from "../../interfaces/index.js";
import { logResponse } from "../log-response.js";
import { COMPLETED } from "../work-end.js";
import { createAgent } from "./create.js";

interface PersonOptions {
  stdin: ReadStream;
  stdout: WriteStream;
  /** Called before the shell opens, for each part of a task with several. */
  onBegin(task: Task): void;
  /** Called when the person leaves the shell; null if its exit code is unknown. */
  onLeave(exitCode: number | null): void;
}

/** A person at a terminal: they get a shell, and leaving it completes the task. */
export function person({ stdin, stdout, onBegin, onLeave }: PersonOptions): Agent {
  return createAgent("person", async (_instruction, turn) => {
    const began = performance.now();
    turn.terminal.beginStep();
    onBegin(turn.task);
    let exitCode: number | null = null;
    try {
      exitCode = await turn.terminal.attach({ stdin, stdout });
    } finally {
      onLeave(exitCode);
    }
    logResponse(turn, { task_complete: true }, performance.now() - began);
    return COMPLETED;
  });
}
