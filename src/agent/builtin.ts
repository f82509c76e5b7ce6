import { TermRunError } from "../errors.js";
import type { Agent, AgentContext, AgentReply, AgentSession } from "../interfaces/index.js";
import { quote } from "../shell-words.js";

const DONE: AgentReply = respond(null, true, "done");

function respond(command: string | null, task_complete: boolean, text: string): AgentReply {
  return { kind: "response", response: { command, task_complete, text, data: null, extra: {} } };
}

const closed = async () => ({ exitCode: null, signal: null });

/** Completes at once: what a task scores when nothing is done. */
export const nop: Agent = {
  name: "nop",
  start: async () => ({ ask: async () => DONE, close: closed }),
};

function runScript(path: string, env: Record<string, string>): string {
  const script = quote(path);
  const variables = Object.entries({ DEBIAN_FRONTEND: "noninteractive", ...env })
    .map(([name, value]) => quote(`${name}=${value}`))
    .join(" ");
  return `chmod +x ${script}; env ${variables} ${script}`;
}

/** Runs the task's own solution: what a task scores when it is done right. */
export const oracle: Agent = {
  name: "oracle",
  unsupported: (task) => (task.solution ? null : "it brings no solution to run"),
  async start({ task, sandbox }: AgentContext): Promise<AgentSession> {
    if (!task.solution) throw new TermRunError("infra", `the task ${task.name} has no solution`);
    const { files, run, env } = task.solution;
    if (files) await sandbox.upload(files.dir, "/solution", files.only);
    const commands =
      "commands" in run ? run.commands : [runScript(sandbox.path(`/solution/${run.script}`), env)];
    const answer = (step: number) => {
      const command = commands[step - 1];
      if (command === undefined) return DONE;
      return respond(command, step >= commands.length, "running the task's solution");
    };
    return { patient: true, ask: async ({ step }) => answer(step), close: closed };
  },
};
