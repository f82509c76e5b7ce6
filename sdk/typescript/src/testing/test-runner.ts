import { Request } from "../request.js";
import { Response } from "../response.js";
import type { Channel } from "../session.js";
import type { CommandOutcome, Shell } from "./shell.js";

export type End = "complete" | "idle" | "max_steps";

const MAX_IDLE = 3;

/** The runner's side of the protocol, as far as unit tests need it. */
export class TestRunner implements Channel {
  readonly steps: { request: Request; response: Response }[] = [];
  end: End | undefined;
  #shellFailure: { error: unknown } | undefined;
  #idleInARow = 0;
  #next: string;

  constructor(
    private readonly shell: Shell,
    private readonly instruction: string,
    private readonly maxSteps: number,
  ) {
    this.#next = this.#request(null, null);
  }

  async receive(): Promise<string | null> {
    return this.#over ? null : this.#next;
  }

  async send(line: string): Promise<boolean> {
    if (this.#over) return false;
    const response = Response.from(JSON.parse(line));
    this.steps.push({ request: Request.parse(this.#next), response });
    const outcome = await this.#execute(response.command);
    this.#idleInARow = response.idle ? this.#idleInARow + 1 : 0;
    if (response.taskComplete) this.end = "complete";
    else if (this.#idleInARow === MAX_IDLE) this.end = "idle";
    else if (this.steps.length >= this.maxSteps) this.end = "max_steps";
    this.#next = this.#request(response.command, outcome);
    return true;
  }

  /** A failing shell is an error in the test, not in the agent. */
  throwIfShellFailed(): void {
    if (this.#shellFailure) throw this.#shellFailure.error;
  }

  get #over(): boolean {
    return this.end !== undefined || this.#shellFailure !== undefined;
  }

  async #execute(command: string | null): Promise<CommandOutcome | null> {
    if (command === null) return null;
    try {
      return await this.shell.run(command);
    } catch (error) {
      this.#shellFailure = { error };
      return null;
    }
  }

  #request(command: string | null, outcome: CommandOutcome | null): string {
    return JSON.stringify({
      instruction: this.instruction,
      step: this.steps.length + 1,
      last_command: command,
      output: outcome?.output ?? null,
      exit_code: outcome?.exitCode ?? null,
      cwd: this.shell.cwd,
    });
  }
}
