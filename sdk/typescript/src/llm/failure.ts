import { AgentError } from "./errors.js";

/** An error with what `retry` needs to know about it. */
export interface Failure {
  error: AgentError;
  retry: boolean;
  /** The delay that the server asked for. */
  retryAfterMs: number | null;
}

/** The stream ended early or has invalid content. */
export class BrokenStream extends Error {
  override readonly name = "BrokenStream";
}

/** Reads an event. A TypeError means the event has an unexpected shape. */
export function readEvent<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new BrokenStream("the model's response has an event of an unexpected shape", {
      cause: error,
    });
  }
}

/** The server sent nothing for too long. */
export class Stall extends AgentError {
  constructor(seconds: number) {
    super("timeout", `the model's response stalled: nothing received for ${seconds} s`);
  }
}

export interface ServerError {
  status: number;
  message: string;
  headers?: { get(name: string): string | null } | undefined;
  cause: unknown;
}

/** Classifies by HTTP status. `key` names the key that was rejected. */
export function failureOfStatus(answer: ServerError, service: string, key: string): Failure {
  const { status, cause } = answer;
  const message = `${service} responded with ${status}: ${answer.message}`;
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

/** Failures that don't depend on the provider; null for all others. */
export function commonFailure(error: unknown): Failure | null {
  if (error instanceof AgentError) {
    return { error, retry: error instanceof Stall, retryAfterMs: null };
  }
  if (error instanceof BrokenStream) return networkFailure(error.message, error.cause ?? error);
  if (error instanceof SyntaxError) {
    return networkFailure("the model's response has an event that isn't valid JSON", error);
  }
  // What fetch throws when a connection breaks mid-stream.
  if (error instanceof TypeError && (error.message === "terminated" || error.cause)) {
    return networkFailure(`the connection broke: ${codeOf(error) ?? error.message}`, error);
  }
  return null;
}

/** Such as ECONNREFUSED, from the chain of causes. */
export function codeOf(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return null;
}

/** `retry-after` in seconds or as a date; `retry-after-ms` takes precedence. */
function retryAfterMs(headers: ServerError["headers"]): number | null {
  const milliseconds = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (milliseconds >= 0) return milliseconds;
  const text = headers?.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
