import * as colors from "yoctocolors";

type Paint = (text: string) => string;

export interface Palette {
  bold: Paint;
  dim: Paint;
  green: Paint;
  red: Paint;
  yellow: Paint;
  cyan: Paint;
}

const leavePlain: Paint = (text) => text;

/** No colour unless it is asked for, whatever the library detects in the environment. */
export function createPalette(color: boolean): Palette {
  if (color) return colors;
  return {
    bold: leavePlain,
    dim: leavePlain,
    green: leavePlain,
    red: leavePlain,
    yellow: leavePlain,
    cyan: leavePlain,
  };
}
