import { findProgram } from "../../src/process/find-program.js";

/** Whether a test has to be skipped because a program is missing. With CI=true it fails instead. */
export function lacks(program: string): boolean {
  return process.env.CI !== "true" && !findProgram(program);
}
