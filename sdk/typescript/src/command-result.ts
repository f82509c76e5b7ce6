import { firstMatch, hasAny, type Request } from "./request.js";

/** How a script's command ended. */
export class CommandResult {
  readonly output: string;
  /** -1 when the runner gave none. */
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
