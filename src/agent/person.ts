import type { ReadStream, WriteStream } from "node:tty";
import { TermRunError } from "../errors.js";
import type { Agent, AgentReply, Task } from "../interfaces/index.js";

interface Person {
  stdin: ReadStream;
  stdout: WriteStream;
  /** Told before the shell opens, for each part of a task with several. */
  onBegin(task: Task): void;
  onLeave(exitCode: number): void;
}

const closed = async () => ({ exitCode: null, signal: null });

function respond(command: string | null, task_complete: boolean): AgentReply {
  return {
    kind: "response",
    response: { command, task_complete, text: null, data: null, extra: {} },
  };
}

/** Somebody at a terminal: a shell opens for them, and leaving it completes the task. */
export function person({ stdin, stdout, onBegin, onLeave }: Person): Agent {
  return {
    name: "person",
    async start({ task, sandbox, signal }) {
      return {
        async ask() {
          if (!sandbox.attach)
            throw new TermRunError("infra", `a ${sandbox.kind} sandbox has no terminal`);
          onBegin(task);
          onLeave(await sandbox.attach({ stdin, stdout, signal }));
          return respond(null, true);
        },
        close: closed,
      };
    },
  };
}

/** Types these lines one after another, and is done; in each part of a task with several. */
export function typist(commands: string[], onBegin: (task: Task) => void): Agent {
  return {
    name: "person",
    async start({ task }) {
      onBegin(task);
      return {
        patient: true,
        ask: async ({ step }) => respond(commands[step - 1] ?? null, step >= commands.length),
        close: closed,
      };
    },
  };
}
