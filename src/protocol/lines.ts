import type { Readable } from "node:stream";
import split2 from "split2";
import { MAX_LINE_BYTES } from "./reader.js";

/** Calls back for every line of a UTF-8 stream; a line over the limit is reported once and skipped. */
export function readLines(
  stream: Readable,
  handlers: { line: (line: string) => void; overflow: () => void; end: () => void },
): void {
  const options = { maxLength: MAX_LINE_BYTES, skipOverflow: true };
  const splitter = split2(/\r?\n/, options);
  const state = splitter as unknown as { overflow?: boolean };
  let overflowing = false;
  splitter.on("data", handlers.line);
  splitter.once("end", handlers.end);
  stream.on("data", (chunk) => {
    splitter.write(chunk);
    const now = state.overflow === true;
    if (now && !overflowing) handlers.overflow();
    overflowing = now;
  });
  stream.once("close", () => splitter.end());
  stream.on("error", () => splitter.end());
}
