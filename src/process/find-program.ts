import { accessSync, constants, statSync } from "node:fs";
import which from "which";

/** The full path of a program on the PATH. */
export function findProgram(program: string): string | null {
  return which.sync(program, { nothrow: true });
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
