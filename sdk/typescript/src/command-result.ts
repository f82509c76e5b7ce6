import { firstMatch, hasAny, type Request } from "./request.js";

/** The result of a script's command. */
export class CommandResult {
  readonly output: string;
  /** -1 if the runner sent none. */
  readonly exitCode: number;
  readonly cwd: string;

  constructor(
    readonly command: string,
    request: Request,
  ) {
    this.output = request.output ?? "";
    this.exitCode = request.exitCode ?? -1;
    this.cwd = request.cwd;
  }

  get ok(): boolean {
    return this.exitCode === 0;
  }

  get failed(): boolean {
    return !this.ok;
  }

  has(...patterns: string[]): boolean {
    return hasAny(this.output, patterns);
  }

  match(regex: RegExp | string): RegExpExecArray | null {
    return firstMatch(this.output, regex);
  }
}
