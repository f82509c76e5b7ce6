export interface CommandOutcome {
  output: string;
  exitCode: number;
}

/** What an agent's commands run in while it is tested. */
export interface Shell {
  /** The directory the next command runs in. */
  readonly cwd: string;
  run(command: string): Promise<CommandOutcome>;
}
