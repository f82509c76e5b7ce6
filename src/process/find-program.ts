import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The whole path of a program on the PATH. */
export function findProgram(program: string): string | null {
  for (const dir of (process.env.PATH ?? "").split(delimiter)) {
    const file = join(dir, program);
    if (dir !== "" && isExecutable(file)) return file;
  }
  return null;
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
