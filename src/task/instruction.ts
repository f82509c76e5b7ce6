import { readText, unreadable } from "./text.js";

const NOT_FOR_AGENTS = /^\s*(<!--.*canary.*-->|#.*canary.*|)\s*$/i;

/** The instruction for the agent: the file without the canary lines at its top. */
export function readInstruction(file: string): string {
  const lines = readText(file).split("\n");
  while (lines.length > 0 && NOT_FOR_AGENTS.test(lines[0] as string)) lines.shift();
  const instruction = lines.join("\n").trimEnd();
  if (instruction === "") throw unreadable(`${file} is empty`);
  return instruction;
}
