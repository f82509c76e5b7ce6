import { type Json, toPlainJson, writeCanonical } from "./canonical.js";
import { readModelReply } from "./model-reply.js";

/** What a step cost. The runner sums it up over the trial. */
export interface Usage {
  model?: string | null;
  inputTokens?: number | null;
  outputTokens?: number | null;
  /** Of the input tokens, those read from the provider's cache. */
  cachedTokens?: number | null;
  costUsd?: number | null;
}

export type ResponseData = Record<string, unknown>;

export interface ResponseFields {
  command?: string | null;
  taskComplete?: boolean;
  text?: string | null;
  data?: ResponseData | null;
}

/** The agent's response to one request. Immutable: each `with…` returns a new one. */
export class Response {
  readonly command: string | null;
  readonly taskComplete: boolean;
  readonly text: string | null;
  readonly data: ResponseData | null;

  constructor(fields: ResponseFields = {}) {
    this.command = fields.command ?? null;
    this.taskComplete = fields.taskComplete ?? false;
    this.text = fields.text ?? null;
    this.data = fields.data ?? null;
  }

  /** Run this command in the terminal. */
  static cmd(command: string, text?: string | null): Response {
    return new Response({ command, text: text ?? null });
  }

  /** An idle step: only text for the log. The runner ends a trial after a few in a row. */
  static say(text: string): Response {
    return new Response({ text });
  }

  /** The task is finished. */
  static done(text?: string | null): Response {
    return new Response({ taskComplete: true, text: text ?? null });
  }

  /**
   * Extracts the JSON answer from a model's reply, ignoring prose and code fences around it.
   * Without one the response is an idle step (`idle` is true), so you can ask the model again.
   */
  static fromLLM(reply: string): Response {
    const answer = readModelReply(reply);
    if (answer === null) return Response.say("No JSON answer found in the model's reply.");
    return new Response(answer);
  }

  /** Validates an object in wire format, such as one from plain JavaScript. */
  static from(value: unknown): Response {
    if (value instanceof Response) return value;
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new TypeError(`solve must return a Response, not ${describe(value)}`);
    }
    const wire = value as Record<string, unknown>;
    const { command = null, task_complete = false, text = null, data = null } = wire;
    if (command !== null && typeof command !== "string") throw wrong("command", command);
    if (typeof task_complete !== "boolean") throw wrong("task_complete", task_complete);
    if (text !== null && typeof text !== "string") throw wrong("text", text);
    if (typeof data !== "object" || Array.isArray(data)) throw wrong("data", data);
    return new Response({
      command,
      taskComplete: task_complete,
      text,
      data: data as ResponseData | null,
    });
  }

  /** Neither a command nor completion. */
  get idle(): boolean {
    return this.command === null && !this.taskComplete;
  }

  withText(text: string): Response {
    return new Response({ ...this, text });
  }

  /** Adds fields to `data`, keeping those already set. */
  withData(data: ResponseData): Response {
    return new Response({ ...this, data: { ...this.data, ...data } });
  }

  withUsage(usage: Usage): Response {
    const wire = {
      model: usage.model,
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cached_tokens: usage.cachedTokens,
      cost_usd: usage.costUsd,
    };
    const known = Object.entries(wire).filter(([, value]) => value !== null && value !== undefined);
    return this.withData({ usage: Object.fromEntries(known) });
  }

  /** The same response, with the task finished once its command, if any, has run. */
  complete(): Response {
    return new Response({ ...this, taskComplete: true });
  }

  toJSON(): { [key: string]: Json } {
    return {
      command: this.command,
      task_complete: this.taskComplete,
      ...(this.text === null ? {} : { text: this.text }),
      ...(this.data === null ? {} : { data: toPlainJson(this.data) }),
    };
  }

  /** The wire format without the newline. The same in every SDK. */
  toLine(): string {
    // The four fields keep the protocol's order; only keys inside data are sorted.
    const members = Object.entries(this.toJSON()).map(
      ([name, value]) => `"${name}":${writeCanonical(value)}`,
    );
    return `{${members.join(",")}}`;
  }
}

function wrong(name: string, value: unknown): TypeError {
  return new TypeError(`the response's ${name} has the wrong type: ${describe(value)}`);
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  return value === null || value === undefined ? String(value) : typeof value;
}
