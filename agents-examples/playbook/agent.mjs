#!/usr/bin/env node
// An agent with a script for each of some bundled tasks. Each has a play in plays/: a generator
// that yields commands and gets back what they did. No dependency, only Node.
import { plays } from "./plays/index.mjs";

let steps = null;
let answer = null;

for await (const line of lines(process.stdin)) {
  const request = JSON.parse(line);
  // A request with an error repeats the step: the same answer is sent again.
  if (!request.error) answer = next(request);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
  if (answer.task_complete) break;
}

function next(request) {
  if (steps === null) {
    const play = plays.find(({ recognises }) => recognises.test(request.instruction));
    if (!play) return finish("There is no play for this instruction, so nothing was done.");
    steps = play.solve();
    console.error(`[playbook] running the play ${play.name}`);
  }
  // The first call only starts the generator; it has no use for the first request.
  const { value, done } = steps.next(request);
  return done ? finish(value) : { ...value, task_complete: false };
}

function finish(text) {
  return { command: null, task_complete: true, text };
}

// Split at newlines only: node:readline also splits at U+2028, which JSON may hold as it is.
async function* lines(input) {
  input.setEncoding("utf8");
  let rest = "";
  for await (const chunk of input) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop();
    yield* parts.filter((part) => part.trim() !== "");
  }
}
