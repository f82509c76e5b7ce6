import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import type { Place } from "./cli.js";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** Runs another command of the built program, in the place's folder. */
export async function runCommand(place: Place, ...args: string[]) {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [MAIN, ...args], {
    cwd: place.dir,
    env: place.env,
    stdin: "ignore",
    reject: false,
  });
  return { exitCode, stdout, stderr };
}

export const inPlace = (place: Place, path: string) => join(place.dir, path);
