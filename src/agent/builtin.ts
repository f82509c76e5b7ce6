import { TermRunError } from "../errors.js";
import type { Agent, AgentContext, AgentReply, AgentSession } from "../interfaces.js";
import { quote } from "../sandbox/shell/script.js";

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

/** Runs the task's own solution: what a task scores when it is done right. */
export const oracle: Agent = {
  name: "oracle",
  unsupported: (task) =>
    task.solution ? null : "it brings no solution (solution/solve.sh) to run",
  async start({ task, sandbox }: AgentContext): Promise<AgentSession> {
    if (!task.solution) throw new TermRunError("infra", `the task ${task.name} has no solution`);
    const place = sandbox.path("/solution");
    await sandbox.upload(task.solution.dir, "/solution");
    const script = quote(`${place}/solve.sh`);
    const env = Object.entries({ DEBIAN_FRONTEND: "noninteractive", ...task.solution.env })
      .map(([name, value]) => quote(`${name}=${value}`))
      .join(" ");
    const command = `chmod +x ${script}; env ${env} ${script}`;
    return {
      patient: true,
      ask: async (request) =>
        request.step === 1 ? respond(command, true, "running the task's solution") : DONE,
      close: closed,
    };
  },
};
