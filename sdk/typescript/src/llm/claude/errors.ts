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

type Sdk = typeof import("@anthropic-ai/sdk");

/** Mid-stream errors have no status; this is the one they would have had. */
const STATUS_OF_TYPE: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

export function claudeFailure(error: unknown, sdk: Sdk | null, settings: Settings): Failure {
  const common = commonFailure(error);
  if (common) return common;
  if (sdk && error instanceof sdk.APIConnectionError) {
    const host = settings.baseUrl === null ? "Claude" : new URL(settings.baseUrl).origin;
    return networkFailure(`can't reach ${host}: ${codeOf(error) ?? error.message}`, error);
  }
  if (sdk && error instanceof sdk.APIError) {
    const status = error.status ?? STATUS_OF_TYPE[error.type ?? ""] ?? 500;
    const message = redact(error.apiMessage ?? error.message, settings.apiKey);
    const answer = { status, message, headers: error.headers, cause: error };
    return failureOfStatus(answer, "Claude", settings.keyVariable);
  }
  const message = redact(error instanceof Error ? error.message : String(error), settings.apiKey);
  return {
    error: new AgentError("agent", `the call to Claude failed: ${message}`, { cause: error }),
    retry: false,
    retryAfterMs: null,
  };
}
