import { defineTool, type Tool } from "../llm/tool.js";
import type { Request } from "../request.js";
import { Response } from "../response.js";
import { describeResult } from "./prompts.js";

export interface TerminalSteps {
  /** One protocol step: sends the response and returns the next request. */
  step(response: Response): Promise<Request>;
  /** True if an earlier command of the same model turn failed. */
  failedThisTurn(): boolean;
  outputLimit: number;
}

/** The two tools that map to protocol steps. */
export function terminalTools(steps: TerminalSteps): Tool[] {
  return [shellTool(steps), finishTool(steps)];
}

function shellTool({ step, outputLimit }: TerminalSteps): Tool {
  return defineTool({
    name: "shell",
    description: "Run a command in the task's terminal; returns its output and exit code.",
    parameters: {
      type: "object",
      properties: {
        command: { type: "string", description: "A command line; it may have several lines." },
      },
      required: ["command"],
      additionalProperties: false,
    },
    async execute({ command }) {
      // The runner would treat it as no command.
      if (command.trim() === "") throw new Error("The command is empty.");
      const request = await step(Response.cmd(command));
      if (request.error !== null) throw new Error(`The command was refused: ${request.error}`);
      return describeResult(request, outputLimit);
    },
  });
}

function finishTool({ step, failedThisTurn }: TerminalSteps): Tool {
  return defineTool({
    name: "finish",
    description: "Declare the task done. Call it once you have checked your work.",
    parameters: {
      type: "object",
      properties: { summary: { type: "string", description: "What was done, in a sentence." } },
      additionalProperties: false,
    },
    async execute({ summary }) {
      if (failedThisTurn()) {
        throw new Error("A command before it failed. Look at its output, then decide.");
      }
      // No request follows: the runner ends the agent, and that cancels the call.
      await step(Response.done(summary ?? null));
    },
  });
}
