export interface CommandOutcome {
  output: string;
  exitCode: number;
}

/** Runs an agent's commands in tests. */
export interface Shell {
  /** The directory the next command runs in. */
  readonly cwd: string;
  run(command: string): Promise<CommandOutcome>;
}
