/** stdout belongs to the protocol, so everything else goes to stderr. */
export function log(message: string): void {
  process.stderr.write(`[term-sdk] ${message}\n`);
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** For the log: the stack trace, which includes the message. */
export function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
