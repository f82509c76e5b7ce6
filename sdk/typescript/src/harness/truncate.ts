/** The head and tail of a text that is too long, with a line that says how much is missing. */
export function truncateMiddle(text: string, limit: number, note: string): string {
  if (text.length <= limit) return text;
  const head = wholeStart(text, Math.ceil(limit / 2));
  const tail = wholeEnd(text, Math.floor(limit / 2));
  const omitted = text.length - head.length - tail.length;
  return `${head}\n[${omitted} of ${text.length} characters omitted here${note}]\n${tail}`;
}

/** Never splits a surrogate pair. */
function wholeStart(text: string, length: number): string {
  return text.slice(0, isHigh(text.charCodeAt(length - 1)) ? length - 1 : length);
}

function wholeEnd(text: string, length: number): string {
  const start = text.length - length;
  return text.slice(isHigh(text.charCodeAt(start - 1)) ? start + 1 : start);
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
