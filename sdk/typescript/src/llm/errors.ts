export type AgentErrorKind = "agent" | "tool" | "timeout" | "rate_limit" | "network" | "invalid";

/** Everything that goes wrong between an agent and its model. */
export class AgentError extends Error {
  override readonly name = "AgentError";
  readonly kind: AgentErrorKind;
  /** Of the provider's answer, where there was one. */
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
