import { findProgram } from "../../src/process/find-program.js";

/** Whether a test has to be skipped for want of a program. With CI=true none is: it fails instead. */
export function lacks(program: string): boolean {
  return process.env.CI !== "true" && !findProgram(program);
}
