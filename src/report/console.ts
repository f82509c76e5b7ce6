import type { Reporter } from "../interfaces/index.js";
import { createLinesReporter } from "./lines.js";
import { createLiveReporter } from "./live.js";
import type { Output } from "./output.js";
import { createPalette } from "./palette.js";
import { createQuietReporter } from "./quiet.js";

interface ConsoleOptions {
  stream: Output;
  /** Whether lines can be redrawn in place. */
  isTty: boolean;
  /** For a stream that doesn't know its own width. */
  columns?: number | undefined;
  verbose?: boolean;
  /** Only the totals and the path; wins over `verbose`. */
  quiet?: boolean;
  color: boolean;
}

/** The console reporter that fits the output and the options. */
export function createConsoleReporter(options: ConsoleOptions): Reporter {
  const { stream, isTty, columns = 100, verbose = false, quiet = false, color } = options;
  const palette = createPalette(color);
  if (quiet) return createQuietReporter(stream, palette);
  const create = isTty ? createLiveReporter : createLinesReporter;
  return create({ output: stream, columns, palette, verbose });
}
