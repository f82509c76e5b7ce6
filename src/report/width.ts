import stringWidth from "string-width";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const PLAIN = /^[ -~]*$/;

/** Columns that a text without escapes takes, at most: each code point counts for itself. */
export function measureWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += stringWidth(character);
  return width;
}

/** Shortens a text to the width, never inside a character. */
export function cutToWidth(text: string, width: number): string {
  if (text.length <= width && PLAIN.test(text)) return text;
  if (width <= 0) return "";
  let kept = "";
  let used = 0;
  // One column stays free for the mark until the whole text turns out to fit.
  let fits = "";
  for (const { segment } of graphemes.segment(text)) {
    used += measureWidth(segment);
    if (used > width) return `${fits}…`;
    kept += segment;
    if (used < width) fits = kept;
  }
  return kept;
}

/** Fills up with spaces on the right. */
export function padToWidth(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - measureWidth(text)));
}
