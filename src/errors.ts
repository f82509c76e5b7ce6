export type ErrorCode =
  | "usage" // the command line or a setting is wrong
  | "task_unreadable" // a task folder can't be read
  | "agent_unusable" // the agent can't be started at all
  | "sandbox_unavailable" // no engine, no bubblewrap
  | "infra"; // the machine failed, not the agent

/** The one error class: what happened, and what the user can do about it. */
export class TermRunError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | null;

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "TermRunError";
    this.code = code;
    this.hint = options.hint ?? null;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Wraps whatever was thrown as an infrastructure error; a `TermRunError` stays as it is. */
export function asInfraError(error: unknown, doing: string): TermRunError {
  if (error instanceof TermRunError) return error;
  return new TermRunError("infra", `${doing}: ${messageOf(error)}`, { cause: error });
}
