import { stripVTControlCharacters } from "node:util";
import { createLogUpdate } from "log-update";
import type { Output } from "./output.js";
import { measureWidth } from "./width.js";

// Terminals that support these show everything between them at once; others ignore them.
const BEGIN_FRAME = "\u001B[?2026h";
const END_FRAME = "\u001B[?2026l";
const ERASE_LINE_ABOVE = "\u001B[1A\u001B[2K";

/** A terminal with permanent lines above and a region below that is redrawn in place. */
interface Screen {
  /** Adds permanent lines and replaces the region; no region lines removes it. */
  show(permanent: string[], region: string[]): void;
}

/** `size` is asked at every frame, because terminals are resized. */
export function createScreen(
  output: Output,
  size: () => { columns: number; rows: number },
): Screen {
  let frame = "";
  let shown: string[] = [];
  const sink = {
    // Collected, so that a frame reaches the terminal in one write.
    write(text: string): boolean {
      frame += text;
      return true;
    },
    get columns(): number {
      return size().columns;
    },
    get rows(): number {
      return size().rows;
    },
  };
  // The cursor stays visible: after a crash nothing would show it again.
  const update = createLogUpdate(sink as unknown as NodeJS.WritableStream, { showCursor: true });

  return {
    show(permanent, region) {
      const added = countWrappedRows(shown, size().columns);
      // log-update patches lines in place only when their number is the same.
      if (permanent.length > 0 || region.length !== shown.length || added > 0) update.clear();
      frame += ERASE_LINE_ABOVE.repeat(added);
      for (const line of permanent) frame += `${line}\n`;
      if (region.length > 0) update(region.join("\n"));
      shown = region;
      if (frame !== "") output.write(BEGIN_FRAME + frame + END_FRAME);
      frame = "";
    },
  };
}

// A terminal made narrower wraps the lines it shows, which log-update doesn't know.
function countWrappedRows(lines: string[], columns: number): number {
  const widths = lines.map((line) => measureWidth(stripVTControlCharacters(line)));
  return widths.reduce((rows, width) => rows + Math.max(0, Math.ceil(width / columns) - 1), 0);
}
