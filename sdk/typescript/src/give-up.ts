import type { Usage } from "./response.js";

/** Thrown from `solve`: the agent ends with this reason and exit code 1, not with an idle step. */
export class GiveUp extends Error {
  override readonly name = "GiveUp";
  /** What was spent and not reported yet. It is sent before the end. */
  readonly usage: Usage | null;

  constructor(reason: string, { cause, usage }: { cause?: unknown; usage?: Usage | null } = {}) {
    super(reason, { cause });
    this.usage = usage ?? null;
  }
}
