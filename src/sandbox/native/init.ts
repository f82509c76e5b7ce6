import { fileURLToPath } from "node:url";
import { TermRunError } from "../../errors.js";
import type { FreshFolder } from "../../interfaces/index.js";

/** The names that engines and Node give to an architecture. */
const FILES: Record<string, string> = {
  x64: "init-x64",
  amd64: "init-x64",
  x86_64: "init-x64",
  arm64: "init-arm64",
  aarch64: "init-arm64",
};

/** The host path of the program that is brought into every sandbox; init.c says what it does. */
export function findInit(architecture: string = process.arch): string {
  const file = FILES[architecture];
  if (file) return fileURLToPath(new URL(file, import.meta.url));
  throw new TermRunError("infra", `sandboxes on ${architecture} processors are not supported`, {
    hint: "Use an image for amd64 or arm64.",
  });
}

/** Commands of the program, for wherever it is in a sandbox. */
export const initCommands = {
  hold: (init: string) => [init, "hold"],
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
