/** The scripted model's response to one request. */
export type Turn = Answer | Refusal;

export interface Answer {
  thinking?: string;
  text?: string;
  toolCalls?: ScriptedCall[];
  /** Null for a server that doesn't report it. */
  usage?: ScriptedUsage | null;
  /** By default `tool_use` with tool calls, else `complete`; other words are sent as they are. */
  stopReason?: string;
  fault?: Fault;
}

export interface ScriptedCall {
  id?: string;
  name: string;
  /** A string is sent as it is, so that it can be broken JSON. */
  arguments: object | string;
}

interface ScriptedUsage {
  /** Of the input, what is neither read from the cache nor written to it. */
  input?: number;
  output?: number;
  cacheRead?: number;
  cacheWrite?: number;
}

/** A fault after some events of the stream; without streaming, at once. */
interface Fault {
  /** `cut` breaks the connection, `end` closes it properly. */
  type: "cut" | "end" | "malformed" | "stall" | "overloaded";
  afterEvents: number;
}

/** An error response. */
interface Refusal {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Pieces of a few characters, as models stream them; never half a surrogate pair. */
export function split(text: string, size: number): string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) {
    pieces.push(characters.slice(at, at + size).join(""));
  }
  return pieces;
}

export function jsonOf(call: ScriptedCall): string {
  return typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
}
