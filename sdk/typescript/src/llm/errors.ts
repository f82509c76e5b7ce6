export type AgentErrorKind = "agent" | "tool" | "timeout" | "rate_limit" | "network" | "invalid";

/** Any failure between an agent and its model. */
export class AgentError extends Error {
  override readonly name = "AgentError";
  readonly kind: AgentErrorKind;
  /** The HTTP status of the provider's response, if there was one. */
  readonly status: number | null;

  constructor(
    kind: AgentErrorKind,
    message: string,
    { cause, status }: { cause?: unknown; status?: number } = {},
  ) {
    super(message, { cause });
    this.kind = kind;
    this.status = status ?? null;
  }
}
