import wrapAnsi from "wrap-ansi";

/** Narrower than this, wrapped text is harder to read than lines that the terminal breaks. */
const MIN_WIDTH = 30;

/** Breaks a text into lines between words; a word that is longer than a line stays whole. */
export function wrapText(text: string, columns: number): string[] {
  return wrapAnsi(text, Math.max(columns, MIN_WIDTH)).split("\n");
}
