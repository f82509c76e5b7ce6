export const WRITE = "echo 'Hello, world!' > hello.txt";
export const CHECK = "cat hello.txt";
const MAX_STEPS = 10;

/**
 * Decides what to do next. This is the part to improve: ask a model here.
 *
 * `request` has `instruction`, `step` (from 1), `cwd`, and of the last command `last_command`,
 * `output` and `exit_code`, which are null on step 1. After an invalid answer the same step is
 * sent again, with a field `error` that says why.
 */
export async function solve(request) {
  const { step, last_command, output, exit_code } = request;
  if (step === 1) return command(WRITE, "Write the file");
  if (exit_code === 0 && output === "Hello, world!") return done("hello.txt is right");
  if (step >= MAX_STEPS) return done("Giving up");
  if (exit_code === 0 && last_command !== CHECK) return command(CHECK, "Is it there?");
  console.error("[__NAME__] that did not work:", output);
  return command(`rm -rf hello.txt; ${WRITE}`, "Once more");
}

function command(line, text) {
  return { command: line, task_complete: false, text };
}

function done(text) {
  return { command: null, task_complete: true, text };
}
