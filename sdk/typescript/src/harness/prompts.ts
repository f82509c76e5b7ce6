import type { Limits } from "../limits.js";
import type { Request } from "../request.js";
import { truncateMiddle } from "./truncate.js";

export const SYSTEM = `You are solving a task in a Linux terminal on your own: nobody can answer questions.

Run commands with the \`shell\` tool. They all run in one shell, so the working directory, variables and background jobs persist between commands. Standard input is empty and there is no screen: editors, pagers and prompts don't work. Write files with heredocs. Start servers in the background and redirect their output to a file.

Look around before you change anything. Failing commands are normal: read the output and try another way. Check your work by running it. When the task is done and checked, call \`finish\`.`;

/** The first prompt: the task and facts about the terminal. */
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

/** The prompt after a model response without a tool call. */
export function nudge(truncated: boolean, rejection: string | null): string {
  const what = truncated
    ? "Your response was too long and was cut off before it called a tool. Be brief."
    : "You called no tool, so nothing happened.";
  const problem = rejection === null ? "" : ` The runner said: ${rejection}`;
  return `${what}${problem} Run a command with \`shell\`, or call \`finish\` if the task is done.`;
}

/** What the model sees of a command's result. */
export function describeResult({ output, exitCode, cwd }: Request, outputLimit: number): string {
  const head = `[exit code ${exitCode ?? "unknown"}, now in ${cwd}]`;
  const text = truncateMiddle(output ?? "", outputLimit, "; print less, or read it in parts");
  return text === "" ? head : `${head}\n${text}`;
}
