import type { Usage } from "./response.js";

/** Throw it from `solve` to exit with this reason and exit code 1 instead of an idle step. */
export class GiveUp extends Error {
  override readonly name = "GiveUp";
  /** Usage not yet reported. It is sent before the agent exits. */
  readonly usage: Usage | null;

  constructor(reason: string, { cause, usage }: { cause?: unknown; usage?: Usage | null } = {}) {
    super(reason, { cause });
    this.usage = usage ?? null;
  }
}
