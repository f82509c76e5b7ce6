import stringWidth from "string-width";

const ESCAPE = "\u001b";
const TOKEN = /(\p{Cc})\[(\?2026[hl]|(\d*)[ABGK])|\n|[^\p{Cc}]/uy;

/**
 * A terminal of the given size, as far as the live view needs one. It throws at any control
 * character and escape sequence that it doesn't know, so nothing from an agent gets through.
 */
export function createTerminal(startColumns: number, rows: number) {
  let columns = startColumns;
  const lines: string[][] = [[]];
  let row = 0;
  let column = 0;
  let writes = 0;

  const top = () => Math.max(0, lines.length - rows);

  function feed(): void {
    row += 1;
    column = 0;
    if (row === lines.length) lines.push([]);
  }

  function put(character: string): void {
    const width = stringWidth(character);
    if (column + width > columns) feed();
    const line = lines[row] as string[];
    while (line.length < column) line.push(" ");
    line[column] = character;
    if (width === 2) line[column + 1] = "";
    column += width;
  }

  function control(code: string, count: number): void {
    if (code.endsWith("A")) row = Math.max(top(), row - count);
    else if (code.endsWith("B")) row = Math.min(lines.length - 1, row + count);
    else if (code.endsWith("G")) column = count - 1;
    else if (code === "2K") lines[row] = [];
    else if (code === "K") lines[row]?.splice(column);
    else if (!code.startsWith("?2026")) throw new Error(`unknown escape sequence: ${code}`);
  }

  return {
    rows,
    get columns(): number {
      return columns;
    },
    /** Makes it narrower: lines that no longer fit wrap, as in most terminals. */
    shrink(to: number): void {
      columns = to;
      const wrapped = lines.flatMap((line) => {
        const pieces = Math.max(1, Math.ceil(line.length / to));
        return Array.from({ length: pieces }, (_, piece) =>
          line.slice(piece * to, (piece + 1) * to),
        );
      });
      row += wrapped.length - lines.length;
      lines.splice(0, lines.length, ...wrapped);
    },
    write(text: string, done?: () => void): boolean {
      writes += 1;
      TOKEN.lastIndex = 0;
      while (TOKEN.lastIndex < text.length) {
        const at = TOKEN.lastIndex;
        const match = TOKEN.exec(text);
        if (!match || (match[1] ?? ESCAPE) !== ESCAPE)
          throw new Error(`can't show ${JSON.stringify(text.slice(at, at + 20))}`);
        if (match[0] === "\n") feed();
        else if (match[2] !== undefined) control(match[2], Number(match[3] || 1));
        else put(match[0]);
      }
      done?.();
      return true;
    },
    /** How often something was written. */
    get writes(): number {
      return writes;
    },
    /** Everything that was not erased, scrolled off or not. */
    get text(): string {
      return lines.map((line) => line.join("").trimEnd()).join("\n");
    },
  };
}
