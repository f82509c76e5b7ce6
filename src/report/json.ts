import type { Reporter } from "../interfaces/index.js";
import type { Output } from "./output.js";

// JSON leaves these as they are, but terminals interpret some and line readers split at others.
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** For programs: each event as one JSON line, nothing else. */
export function createJsonReporter(output: Output): Reporter {
  return {
    event(event) {
      output.write(`${JSON.stringify(event).replace(UNSAFE, escapeCharacter)}\n`);
    },
    // A pipe may be slow; if its reader is gone, that counts as done.
    close: () => new Promise((resolve) => output.write("", () => resolve())),
  };
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
