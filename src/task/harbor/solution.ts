import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Solution } from "../../interfaces/index.js";
import { hasWindowsLineEndings, namesIn } from "../text.js";
import type { Reading } from "./reading.js";

const SCRIPT = "solve.sh";

/** The reference solution in a folder; null when there is none. */
export function readSolution(
  dir: string,
  env: Record<string, string>,
  reading: Reading,
): Solution | null {
  const script = join(dir, SCRIPT);
  const label = script.slice(reading.dir.length + 1);
  if (!existsSync(script)) {
    if (namesIn(dir).size > 0)
      reading.warnings.push(`${label} is missing: the oracle has nothing to run`);
    return null;
  }
  if (hasWindowsLineEndings(script))
    reading.warnings.push(
      `${label} has Windows line endings; the kernel will not find its interpreter`,
    );
  return { files: { dir, only: null }, run: { script: SCRIPT, alwaysBash: false }, env };
}
