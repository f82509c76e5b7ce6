import type { FreshFolder } from "../../interfaces/index.js";
import { findProgram } from "./find-program.js";

/** The host path of the program that is brought into every sandbox. */
export function findInit(architecture: string = process.arch): string {
  return findProgram("init", architecture);
}

/** Commands of the program, for wherever it is in a sandbox. */
export const initCommands = {
  hold: (init: string, resolver: string | null = null) => [
    init,
    "hold",
    ...(resolver === null ? [] : [resolver]),
  ],
  resolve: (init: string, resolver: string) => [init, "resolve", resolver],
  list: (init: string) => [init, "list"],
  fresh: (init: string, folders: readonly FreshFolder[]) => [
    init,
    "fresh",
    ...folders.flatMap(({ path, mode }) => [mode.toString(8), path]),
  ],
  end: (init: string, keep: readonly number[]) => [init, "end", ...keep.map(String)],
  kill: (init: string, mark: string) => [init, "kill", mark],
  run: (init: string, cwd: string, argv: readonly string[]) => [init, "run", cwd, ...argv],
};
