import { TermRunError } from "../errors.js";
import { EXIT } from "./exit-codes.js";

/** Prints a user's error with its hint, and a bug with its stack trace. */
export function printError(error: unknown): number {
  if (!(error instanceof TermRunError)) {
    process.stderr.write(
      `term-run: this is a bug in term-run\n${(error as Error)?.stack ?? error}\n`,
    );
    return EXIT.infra;
  }
  process.stderr.write(`term-run: ${printable(error.message)}\n`);
  if (error.hint) process.stderr.write(`  ${printable(error.hint)}\n`);
  return error.code === "infra" ? EXIT.infra : EXIT.usage;
}

/** A message may quote a file or a server: nothing in it moves the cursor. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, "\ufffd");
}
