export interface RequestFields {
  instruction: string;
  step?: number;
  lastCommand?: string | null;
  output?: string | null;
  exitCode?: number | null;
  cwd?: string;
  error?: string | null;
}

/** What the runner sends the agent at each step. */
export class Request {
  readonly instruction: string;
  /** Starts at 1. */
  readonly step: number;
  readonly lastCommand: string | null;
  readonly output: string | null;
  readonly exitCode: number | null;
  readonly cwd: string;
  /** Set only when a request is repeated: what was wrong with the previous response. */
  readonly error: string | null;

  constructor(fields: RequestFields) {
    this.instruction = fields.instruction;
    this.step = fields.step ?? 1;
    this.lastCommand = fields.lastCommand ?? null;
    this.output = fields.output ?? null;
    this.exitCode = fields.exitCode ?? null;
    this.cwd = fields.cwd ?? "";
    this.error = fields.error ?? null;
  }

  /** Parses one protocol line. Throws if it isn't a request. */
  static parse(line: string): Request {
    const wire: unknown = JSON.parse(line);
    if (typeof wire !== "object" || wire === null || Array.isArray(wire)) {
      throw new TypeError("a request must be a JSON object");
    }
    const fields = wire as Record<string, unknown>;
    return new Request({
      instruction: required(fields, "instruction", isString),
      step: required(fields, "step", isInteger),
      lastCommand: optional(fields, "last_command", isString),
      output: optional(fields, "output", isString),
      exitCode: optional(fields, "exit_code", isInteger),
      cwd: optional(fields, "cwd", isString) ?? "",
      error: optional(fields, "error", isString),
    });
  }

  get first(): boolean {
    return this.step === 1;
  }

  /** The last command exited with code 0. */
  get ok(): boolean {
    return this.exitCode === 0;
  }

  /** The last command exited with another code. If none ran, neither `ok` nor `failed` is true. */
  get failed(): boolean {
    return this.exitCode !== null && this.exitCode !== 0;
  }

  /** True if the output contains any of the patterns, taken literally. */
  has(...patterns: string[]): boolean {
    return hasAny(this.output, patterns);
  }

  /** The first match in the output, with its groups. */
  match(regex: RegExp | string): RegExpExecArray | null {
    return firstMatch(this.output, regex);
  }
}

export function hasAny(output: string | null, patterns: string[]): boolean {
  return output !== null && patterns.some((pattern) => output.includes(pattern));
}

export function firstMatch(output: string | null, regex: RegExp | string): RegExpExecArray | null {
  // A copy without g and y, which remember a position between calls.
  const flags = regex instanceof RegExp ? regex.flags.replace(/[gy]/g, "") : "";
  return output === null ? null : new RegExp(regex, flags).exec(output);
}

type Check<T> = (value: unknown) => value is T;
const isString: Check<string> = (value) => typeof value === "string";
const isInteger: Check<number> = (value): value is number => Number.isInteger(value);

function optional<T>(fields: Record<string, unknown>, name: string, check: Check<T>): T | null {
  const value = fields[name] ?? null;
  if (value === null || check(value)) return value;
  throw new TypeError(`the request's ${name} has the wrong type`);
}

function required<T>(fields: Record<string, unknown>, name: string, check: Check<T>): T {
  const value = optional(fields, name, check);
  if (value === null) throw new TypeError(`the request has no ${name}`);
  return value;
}
