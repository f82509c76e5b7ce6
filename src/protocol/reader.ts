/** The longest answer that is read. */
export const MAX_LINE_BYTES = 10 * 1024 * 1024;

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
    if (this.#open === null) {
      const text = line.trim();
      if (text === "") return [];
      if (!text.startsWith("{")) return [{ kind: "noise", text: line }];
      const whole = parse(text);
      if (whole.ok) return [{ kind: "object", value: whole.value, raw: text }];
      this.#open = "";
      this.#scan = newScan();
      return this.#extend(text);
    }
    return this.#extend(`\n${line}`);
  }

  /** Gives up on an object that was never closed. */
  drop(): AgentMessage[] {
    if (this.#open === null) return [];
    const raw = this.#open;
    this.#open = null;
    return [{ kind: "malformed", problem: "the JSON object is not closed", raw }];
  }

  #extend(part: string): AgentMessage[] {
    const before = this.#open ?? "";
    const end = scan(this.#scan, part);
    if (end === -1) {
      this.#open = before + part;
      return this.#open.length > MAX_LINE_BYTES ? this.#tooLong() : [];
    }
    const raw = before + part.slice(0, end);
    this.#open = null;
    const parsed = parse(raw);
    const message: AgentMessage = parsed.ok
      ? { kind: "object", value: parsed.value, raw }
      : { kind: "malformed", problem: `not valid JSON: ${parsed.problem}`, raw };
    const rest = part.slice(end);
    return rest.trim() === "" ? [message] : [message, ...this.feed(rest)];
  }

  #tooLong(): AgentMessage[] {
    const raw = this.#open ?? "";
    this.#open = null;
    return [tooLong(raw)];
  }
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
