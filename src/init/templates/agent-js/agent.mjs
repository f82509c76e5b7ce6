#!/usr/bin/env node
// __NAME__: an agent for terminal tasks. It needs nothing but Node.js 20 or later.
import { solve } from "./solve.mjs";

for await (const line of readLines(process.stdin)) {
  const answer = await solve(JSON.parse(line));
  // stdout carries answers only; everything else goes to stderr (console.error).
  process.stdout.write(`${JSON.stringify(answer)}\n`);
  if (answer.task_complete) break;
}

// Split at newlines only: node:readline also splits at U+2028, which JSON may hold as it is.
async function* readLines(input) {
  input.setEncoding("utf8");
  let parts = [];
  for await (const chunk of input) {
    const lines = chunk.split("\n");
    for (const end of lines.slice(0, -1)) {
      const line = parts.join("") + end;
      parts = [];
      if (line.trim() !== "") yield line;
    }
    parts.push(lines.at(-1));
  }
}
