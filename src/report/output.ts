/** Where a reporter writes: `process.stdout` fits, and so does any writable stream. */
export interface Output {
  write(text: string, done?: (error?: Error | null) => void): unknown;
  /** Of a terminal; both follow its resizing. */
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}
