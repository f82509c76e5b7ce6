import type { CommandOutcome, Shell } from "./shell.js";

export interface Reply {
  /** What the agent must ask for here; anything when left out. */
  command?: string | RegExp;
  output?: string;
  exitCode?: number;
  /** The directory from this command on. */
  cwd?: string;
}

/** A shell that only plays replies, in their order. A command that was not planned is an error. */
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
        throw new Error(`command ${played} should be ${reply.command}, but is ${command}`);
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
