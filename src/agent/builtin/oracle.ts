import { TermRunError } from "../../errors.js";
import type { Sandbox, Solution, Task } from "../../interfaces/index.js";
import { quote } from "../../shell-words.js";
import { runCommands } from "./command-list.js";
import { createAgent } from "./create.js";

/** Runs the task's own solution: what a task scores when it is solved. */
export const oracle = createAgent(
  "oracle",
  async (_instruction, turn, { sandbox }) => {
    const { name, solution } = turn.task;
    if (!solution)
      throw new TermRunError("infra", `${name} has no solution for the oracle to run`, {
        hint: "Add solution/solve.sh, or choose another agent.",
      });
    const { files } = solution;
    if (files) {
      const executable = "script" in solution.run ? [solution.run.script] : [];
      await sandbox.upload(files.dir, "/solution", { only: files.only, executable });
    }
    // A solution may take as long as the whole turn: no limit on a single command.
    return runCommands(commandsOf(solution, sandbox), turn, {
      text: "running the task's solution",
      timeoutMs: Number.POSITIVE_INFINITY,
    });
  },
  { unsupported: (task) => (hasSolution(task) ? null : "it has no solution to run") },
);

function hasSolution({ solution, parts }: Task): boolean {
  if (solution) return true;
  return parts?.list.every((part) => part.task.solution !== null) ?? false;
}

function commandsOf({ run, env }: Solution, sandbox: Sandbox): string[] {
  if ("commands" in run) return run.commands;
  const script = quote(sandbox.path(`/solution/${run.script}`));
  const variables = Object.entries({ DEBIAN_FRONTEND: "noninteractive", ...env })
    .map(([name, value]) => `${name}=${quote(value)}`)
    .join(" ");
  const runs = run.alwaysBash ? `bash ${script}` : runByFirstLine(script);
  return [`( export ${variables}; ${runs} )`];
}

/** As bash runs a file: by its `#!` line, else as a script of its own. */
function runByFirstLine(script: string): string {
  const other = `$(command -v bash || echo sh) ${script}`;
  return `IFS= read -r line <${script}; case $line in '#!'*) ${script} ;; *) ${other} ;; esac`;
}
