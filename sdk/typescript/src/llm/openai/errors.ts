import { redact } from "../client.js";
import type { Settings } from "../config/settings.js";
import { AgentError } from "../errors.js";
import {
  codeOf,
  commonFailure,
  type Failure,
  failureOfStatus,
  networkFailure,
} from "../failure.js";

type Sdk = typeof import("openai");

export function openaiFailure(error: unknown, sdk: Sdk | null, settings: Settings): Failure {
  const common = commonFailure(error);
  if (common) return common;
  const host = settings.baseUrl === null ? "OpenAI" : new URL(settings.baseUrl).origin;
  if (sdk && error instanceof sdk.APIConnectionError) {
    return networkFailure(`can't reach ${host}: ${codeOf(error) ?? error.message}`, error);
  }
  if (sdk && error instanceof sdk.APIError) {
    const message = redact(error.message.replace(/^\d{3} /, ""), settings.apiKey);
    const answer = { status: statusOf(error), message, headers: error.headers, cause: error };
    const failure = failureOfStatus(answer, host, settings.keyVariable);
    // A retry doesn't restore an exhausted quota.
    return error.code === "insufficient_quota" ? { ...failure, retry: false } : failure;
  }
  const message = redact(error instanceof Error ? error.message : String(error), settings.apiKey);
  return {
    error: new AgentError("agent", `the call to ${host} failed: ${message}`, { cause: error }),
    retry: false,
    retryAfterMs: null,
  };
}

/** Mid-stream errors have no status, but some servers put it in `code`. */
function statusOf({ status, code }: { status?: number; code?: unknown }): number {
  const number = status ?? Number(code);
  return number >= 400 && number < 600 ? number : 500;
}
