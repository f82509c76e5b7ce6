import type { Finding } from "./types.js";

export const passed = (seen: string): Finding => ({
  status: "passed",
  seen,
  reason: null,
  fix: null,
});

export const failed = (seen: string, reason: string, fix: string): Finding => ({
  status: "failed",
  seen,
  reason,
  fix,
});

export const warned = (seen: string, reason: string, fix: string): Finding => ({
  status: "warning",
  seen,
  reason,
  fix,
});

export const notRun = (seen: string): Finding => ({
  status: "not_run",
  seen,
  reason: null,
  fix: null,
});

export const broken = (seen: string, fix: string | null): Finding => ({
  status: "infra_error",
  seen,
  reason: "The infrastructure failed, not the task, so this point could not be checked.",
  fix: fix ?? "Run the check again.",
});

/** The first few of many. */
export function listSome(items: readonly string[], limit = 5): string {
  const more = items.length > limit ? ` and ${items.length - limit} more` : "";
  return `${items.slice(0, limit).join(", ")}${more}`;
}
