export interface RequestFields {
  instruction: string;
  step?: number;
  lastCommand?: string | null;
  output?: string | null;
  exitCode?: number | null;
  cwd?: string;
  error?: string | null;
}

/** What the runner tells the agent at each step. */
export class Request {
  readonly instruction: string;
  /** Starts at 1. */
  readonly step: number;
  readonly lastCommand: string | null;
  readonly output: string | null;
  readonly exitCode: number | null;
  readonly cwd: string;
  /** Set on a second chance only: what was wrong with the previous answer. */
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

  /** Reads one line of the protocol. Throws when it is not a request. */
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

  /** The last command ended with exit code 0. */
  get ok(): boolean {
    return this.exitCode === 0;
  }

  /** The last command ended with another exit code. Neither ok nor failed when none ran. */
  get failed(): boolean {
    return this.exitCode !== null && this.exitCode !== 0;
  }

  /** True when the output contains any of the patterns, as they are written. */
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
  // A copy without g and y: those remember a position from the call before.
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
