import type { Limits } from "../limits.js";
import type { Request } from "../request.js";
import { cutMiddle } from "./cut.js";

export const SYSTEM = `You solve a task in a Linux terminal, on your own: nobody answers questions.

Run commands with the tool \`shell\`. They all run in one shell, so the directory, variables and background jobs of one command are there for the next. Standard input is empty and there is no screen: editors, pagers and prompts don't work. Write files with heredocs. Start servers in the background with their output in a file.

Look around before you change something. A command that fails is ordinary: read what it printed and try another way. Check your work by running it. When the task is done and checked, call \`finish\`.`;

/** The first prompt: the task, and what the terminal is like. */
export function openingPrompt(request: Request, limits: Limits, maxTurns: number): string {
  const facts = [
    `The shell starts in ${request.cwd || "its default directory"}.`,
    limits.commandTimeoutSec === null
      ? null
      : `A command that takes longer than ${limits.commandTimeoutSec} s is ended.`,
    limits.agentTimeoutSec === null
      ? null
      : `You have ${Math.floor(limits.timeLeftSec)} s for the whole task.`,
    `You have at most ${Math.min(maxTurns, limits.maxSteps ?? maxTurns)} turns.`,
  ];
  return `${request.instruction}\n\n${facts.filter((fact) => fact !== null).join("\n")}`;
}

/** What the model hears after it has said something and called no tool. */
export function nudge(cut: boolean, refused: string | null): string {
  const what = cut
    ? "Your answer was cut because it became too long, before it called a tool. Be brief."
    : "You called no tool, so nothing happened.";
  const problem = refused === null ? "" : ` The runner said: ${refused}`;
  return `${what}${problem} Run a command with \`shell\`, or call \`finish\` if the task is done.`;
}

/** What the model sees of a command. */
export function describeResult({ output, exitCode, cwd }: Request, outputLimit: number): string {
  const head = `[exit code ${exitCode ?? "unknown"}, now in ${cwd}]`;
  const text = cutMiddle(output ?? "", outputLimit, "; print less, or look at it in parts");
  return text === "" ? head : `${head}\n${text}`;
}
