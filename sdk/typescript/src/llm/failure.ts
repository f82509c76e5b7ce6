import { AgentError } from "./errors.js";

/** An error with what the retries need to know of it. */
export interface Failure {
  error: AgentError;
  retry: boolean;
  /** What the server asked for. */
  retryAfterMs: number | null;
}

/** The stream ended too early, or holds what it may not hold. */
export class BrokenStream extends Error {
  override readonly name = "BrokenStream";
}

/** Reads an event; one of an unexpected shape is the stream's fault, not ours. */
export function readEvent<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new BrokenStream("the model's answer holds an event of an unknown form", {
      cause: error,
    });
  }
}

/** Nothing was heard from the server for too long. */
export class Stall extends AgentError {
  constructor(seconds: number) {
    super("timeout", `the model's answer stalled: nothing came for ${seconds} s`);
  }
}

export interface ServerError {
  status: number;
  message: string;
  headers?: { get(name: string): string | null } | undefined;
  cause: unknown;
}

/** By the HTTP status. `key` tells which key was refused. */
export function failureOfStatus(answer: ServerError, service: string, key: string): Failure {
  const { status, cause } = answer;
  const message = `${service} answered with ${status}: ${answer.message}`;
  const failure = (error: AgentError, retry: boolean): Failure => ({
    error,
    retry,
    retryAfterMs: retry ? retryAfterMs(answer.headers) : null,
  });
  if (status === 429) {
    return failure(new AgentError("rate_limit", message, { status, cause }), true);
  }
  if (status >= 500 || status === 408 || status === 409) {
    return failure(new AgentError("agent", message, { status, cause }), true);
  }
  const hint = status === 401 || status === 403 ? `; check the API key (${key})` : "";
  return failure(new AgentError("invalid", message + hint, { status, cause }), false);
}

export function networkFailure(message: string, cause: unknown): Failure {
  return { error: new AgentError("network", message, { cause }), retry: true, retryAfterMs: null };
}

/** Failures that have nothing to do with the provider; null for all others. */
export function commonFailure(error: unknown): Failure | null {
  if (error instanceof AgentError) {
    return { error, retry: error instanceof Stall, retryAfterMs: null };
  }
  if (error instanceof BrokenStream) return networkFailure(error.message, error.cause ?? error);
  if (error instanceof SyntaxError) {
    return networkFailure("the model's answer holds an event that is not valid JSON", error);
  }
  // What fetch throws when a connection breaks in mid-stream.
  if (error instanceof TypeError && (error.message === "terminated" || error.cause)) {
    return networkFailure(`the connection broke: ${codeOf(error) ?? error.message}`, error);
  }
  return null;
}

/** Such as ECONNREFUSED, found somewhere along the causes. */
export function codeOf(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return null;
}

/** Seconds, with or without a fraction, or a date; `retry-after-ms` goes first. */
function retryAfterMs(headers: ServerError["headers"]): number | null {
  const milliseconds = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (milliseconds >= 0) return milliseconds;
  const text = headers?.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
