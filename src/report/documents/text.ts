import { stripVTControlCharacters } from "node:util";

// What XML 1.0 forbids besides line breaks and tabs, bidirectional controls, and lone surrogates.
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Bidi_Control}\ufffe\uffff]/gu;
const ALLOWED = "\n\t";

/** Text for a document: no colours, no control characters; lines stay lines. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?/g, "\n")
    .replace(FORBIDDEN, (character) => (ALLOWED.includes(character) ? character : ""));
}

/** The end of a text, as complete lines unless they are too long. */
export function lastLines(text: string, count: number, maxLength: number): string {
  const tail = text.trimEnd().split("\n").slice(-count).join("\n");
  return tail.length > maxLength ? `…${cutStart(tail, maxLength)}` : tail;
}

/** Cuts the middle out of a text that is too long, and says how much was cut. */
export function cutMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = cutEnd(text, Math.ceil(maxLength / 2));
  const tail = cutStart(text, Math.floor(maxLength / 2));
  const left = text.length - head.length - tail.length;
  return `${head}\n[… ${left} characters left out …]\n${tail}`;
}

// A character of two code units is never cut in half.
function cutEnd(text: string, length: number): string {
  const cut = text.slice(0, length);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

function cutStart(text: string, length: number): string {
  if (length <= 0) return "";
  const cut = text.slice(-length);
  return /^[\udc00-\udfff]/.test(cut) ? cut.slice(1) : cut;
}

/** For XML and HTML, in text and in attributes. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
