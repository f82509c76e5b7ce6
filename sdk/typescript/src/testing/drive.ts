import { type Agent, type Solve, toAgent } from "../agent.js";
import type { Request } from "../request.js";
import type { Response } from "../response.js";
import { type Script, serveScript } from "../script.js";
import { serve } from "../serve.js";
import { Session } from "../session.js";
import type { Shell } from "./shell.js";
import { type End, TestRunner } from "./test-runner.js";

export interface DriveOptions {
  shell: Shell;
  instruction?: string;
  maxSteps?: number;
}

export interface Trial {
  /** `stopped`: the agent exited without completing the task. */
  end: End | "stopped";
  completed: boolean;
  steps: { request: Request; response: Response }[];
  commands: string[];
  /** What `solve` threw. A real run logs it and responds with an idle step. */
  errors: unknown[];
}

/** Acts as the runner for an agent, in this process, with the same lines as a real run. */
export function drive(agentOrSolve: Agent | Solve, options: DriveOptions): Promise<Trial> {
  const agent = toAgent(agentOrSolve);
  return driveWith(options, async (session, onError) => {
    try {
      await agent.setup?.();
      await serve(agent, session, onError);
    } finally {
      await agent.cleanup?.();
    }
  });
}

export function driveScript(script: Script, options: DriveOptions): Promise<Trial> {
  return driveWith(options, async (session, onError) => {
    await serveScript(script, session, onError);
  });
}

async function driveWith(
  { shell, instruction = "test", maxSteps = 100 }: DriveOptions,
  work: (session: Session, onError: (error: unknown) => void) => Promise<void>,
): Promise<Trial> {
  const errors: unknown[] = [];
  const runner = new TestRunner(shell, instruction, maxSteps);
  await work(new Session(runner), (error) => errors.push(error));
  runner.throwIfShellFailed();
  const { steps, end = "stopped" } = runner;
  const commands = steps.flatMap(({ response }) => response.command ?? []);
  return { end, completed: end === "complete", steps, commands, errors };
}
