import type { AgentEnd, ErrorRecord } from "../events/index.js";

/** A limit ended an agent's work: thrown by its terminal, through whatever loop the agent has. */
export class WorkStopped extends Error {
  readonly end: Exclude<AgentEnd, "completed">;

  constructor(end: Exclude<AgentEnd, "completed">, message: string) {
    super(message);
    this.name = "WorkStopped";
    this.end = end;
  }

  static byMaxSteps(maxSteps: number): WorkStopped {
    return new WorkStopped(
      "max_steps",
      `the agent did not complete the task within ${maxSteps} steps`,
    );
  }

  static byTime(): WorkStopped {
    return new WorkStopped("agent_timeout", "the agent's time for the whole task ran out");
  }

  get record(): ErrorRecord {
    return { code: this.end, message: this.message, hint: null };
  }
}
