/** Where a reporter writes: `process.stdout` or any other writable stream. */
export interface Output {
  write(text: string, done?: (error?: Error | null) => void): unknown;
  /** Of a terminal; both change when it is resized. */
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}
