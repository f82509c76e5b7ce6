import type { CommandResult } from "../../interfaces/index.js";
import type { OutputBuffer } from "../output.js";

interface CommandEnd
  extends Pick<CommandResult, "exitCode" | "shellRestarted" | "durationMs" | "cwd"> {
  /** The limit that the command was killed at, if it was. */
  timeoutMs: number | null;
}

/** What the runner is told of a command that is over. */
export function commandResult(
  { text, totalBytes, cutBytes }: ReturnType<OutputBuffer["read"]>,
  { timeoutMs, ...end }: CommandEnd,
): CommandResult {
  return {
    ...end,
    output: timeoutMs === null ? text : withTimeoutNote(text, timeoutMs),
    outputBytes: totalBytes,
    cutBytes,
    timedOut: timeoutMs !== null,
  };
}

function withTimeoutNote(text: string, timeoutMs: number): string {
  const note = `[term-run: the command did not end within ${timeoutMs / 1000} s and was killed]`;
  return text === "" ? note : `${text}\n${note}`;
}
