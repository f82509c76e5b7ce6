import { stripVTControlCharacters } from "node:util";

/** More than any screen shows; a huge text would cost time at every redraw. */
const MAX_LENGTH = 2000;
const MAX_LINES = 20;

const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/gu;
// Besides control characters: bidirectional controls, and lone surrogates.
const UNSAFE = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu;
// Joiners and variation selectors: terminals don't agree on the width of what they join.
const JOINERS = /[\u200d\ufe0e\ufe0f]/gu;

/** Text that can't move the cursor or break the line; control characters are made visible. For commands. */
export function showControls(text: string): string {
  return neutralize(clip(text).trim());
}

/** One safe line: colours and cursor moves are removed, line breaks become marks. */
export function cleanLine(text: string): string {
  return neutralize(stripVTControlCharacters(clip(text)).trim());
}

/** Safe lines without blank ones; the last one says how many were left out. */
export function cleanLines(text: string): string[] {
  const lines = splitLines(text);
  const kept = lines.slice(0, MAX_LINES).map(cleanLine);
  if (lines.length > MAX_LINES) kept.push(`… ${lines.length - MAX_LINES} more lines`);
  return kept;
}

/** The last line that is not blank, made safe; what a `\r` overwrote doesn't count. */
export function cleanLastLine(text: string): string | null {
  const last = splitLines(text.slice(-MAX_LENGTH)).at(-1);
  return last === undefined ? null : cleanLine(last);
}

function splitLines(text: string): string[] {
  return stripVTControlCharacters(text)
    .split(LINE_BREAK)
    .filter((line) => line.trim() !== "");
}

function clip(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

function neutralize(text: string): string {
  return text
    .replace(LINE_BREAK, "↵")
    .replaceAll("\t", " ")
    .replace(UNSAFE, pictureOf)
    .replace(JOINERS, "");
}

// Unicode has a symbol for each of the first 32 control characters, and one for DEL.
function pictureOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "␡" : "\ufffd";
}
