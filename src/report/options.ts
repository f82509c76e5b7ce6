import type { Output } from "./output.js";
import type { Palette } from "./palette.js";

/** The options of every text reporter. */
export interface TextOptions {
  output: Output;
  /** For an output that doesn't know its own width. */
  columns: number;
  palette: Palette;
  verbose: boolean;
}
