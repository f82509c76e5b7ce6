/** The longest answer that is read. */
export const MAX_LINE_BYTES = 10 * 1024 * 1024;

const MAX_OBJECTS_IN_LINE = 1000;
const TOO_MANY = `there are more than ${MAX_OBJECTS_IN_LINE} JSON objects in one line`;

export type AgentMessage =
  | { kind: "object"; value: unknown; raw: string }
  | { kind: "malformed"; problem: string; raw: string }
  | { kind: "noise"; text: string };

/**
 * Turns an agent's output lines into messages. An object that isn't closed on its line is joined
 * with the lines after it; what doesn't start an object is noise.
 */
export class ResponseReader {
  #open: string | null = null;
  #scan = newScan();

  /** The beginning of an object whose end has not come yet. */
  get unclosed(): string | null {
    return this.#open;
  }

  feed(line: string): AgentMessage[] {
    const messages: AgentMessage[] = [];
    let rest = this.#open === null ? line : `\n${line}`;
    // A loop: a line may hold very many objects.
    while (this.#open !== null || rest.trim() !== "") {
      if (messages.length >= MAX_OBJECTS_IN_LINE) {
        this.#open = null;
        return [...messages, { kind: "malformed", problem: TOO_MANY, raw: rest.slice(0, 1000) }];
      }
      if (this.#open === null) {
        const text = rest.trim();
        if (!text.startsWith("{")) return [...messages, { kind: "noise", text: rest }];
        // Nearly always there is one object, which needn't be looked for.
        const whole = messages.length === 0 ? parse(text) : { ok: false as const };
        if (whole.ok) return [{ kind: "object", value: whole.value, raw: text }];
        this.#open = "";
        this.#scan = newScan();
        rest = text;
      }
      const end = scan(this.#scan, rest);
      if (end === -1) {
        this.#open += rest;
        return this.#open.length > MAX_LINE_BYTES ? [...messages, this.#tooLong()] : messages;
      }
      messages.push(toMessage(this.#open + rest.slice(0, end)));
      this.#open = null;
      rest = rest.slice(end);
    }
    return messages;
  }

  /** Gives up on an object that was never closed. */
  drop(): AgentMessage[] {
    if (this.#open === null) return [];
    const raw = this.#open;
    this.#open = null;
    return [{ kind: "malformed", problem: "the JSON object is not closed", raw }];
  }

  #tooLong(): AgentMessage {
    const raw = this.#open ?? "";
    this.#open = null;
    return tooLong(raw);
  }
}

function toMessage(raw: string): AgentMessage {
  const parsed = parse(raw);
  return parsed.ok
    ? { kind: "object", value: parsed.value, raw }
    : { kind: "malformed", problem: `not valid JSON: ${parsed.problem}`, raw };
}

export function tooLong(raw: string): AgentMessage {
  return { kind: "malformed", problem: "the answer is longer than 10 MiB", raw };
}

interface Scan {
  depth: number;
  inString: boolean;
  escaped: boolean;
}

function newScan(): Scan {
  return { depth: 0, inString: false, escaped: false };
}

/** Index after the brace that closes the object, or -1 while it is open. */
function scan(state: Scan, text: string): number {
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (state.escaped) state.escaped = false;
    else if (state.inString) {
      if (char === "\\") state.escaped = true;
      else if (char === '"') state.inString = false;
    } else if (char === '"') state.inString = true;
    else if (char === "{" || char === "[") state.depth++;
    else if ((char === "}" || char === "]") && --state.depth === 0) return at + 1;
  }
  return -1;
}

function parse(text: string): { ok: true; value: unknown } | { ok: false; problem: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, problem: (error as Error).message };
  }
}
