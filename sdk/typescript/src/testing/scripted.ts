import type { CommandOutcome, Shell } from "./shell.js";

export interface Reply {
  /** The command expected here; any command if omitted. */
  command?: string | RegExp;
  output?: string;
  exitCode?: number;
  /** The working directory after this command. */
  cwd?: string;
}

/** A shell that returns the given replies in order. An unexpected command is an error. */
export function scripted(replies: readonly Reply[], cwd = "/app"): Shell {
  let played = 0;
  let current = cwd;
  return {
    get cwd() {
      return current;
    },
    async run(command): Promise<CommandOutcome> {
      const reply = replies[played];
      if (reply === undefined) {
        throw new Error(`no reply left for command ${played + 1}: ${command}`);
      }
      played++;
      if (!isExpected(command, reply.command)) {
        throw new Error(`command ${played} should be ${reply.command}, but was ${command}`);
      }
      current = reply.cwd ?? current;
      return { output: reply.output ?? "", exitCode: reply.exitCode ?? 0 };
    },
  };
}

function isExpected(command: string, expected: string | RegExp | undefined): boolean {
  if (expected === undefined) return true;
  return typeof expected === "string" ? command === expected : expected.test(command);
}
