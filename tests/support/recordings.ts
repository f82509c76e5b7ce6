import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const FOLDER = fileURLToPath(new URL("../recordings", import.meta.url));

/** A copy of a run's folder that the runner itself wrote; it is removed after the test. */
export function openRecording(name: string): string {
  const dir = mkdtempSync(join(tmpdir(), "recording-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  cpSync(join(FOLDER, name), dir, { recursive: true });
  return dir;
}

/** Whether a recording is missing; if so it prints that the tests are skipped. */
export function lacksRecording(name: string): boolean {
  const lacks = !existsSync(join(FOLDER, name, "run.json"));
  if (lacks) console.error(`!! SKIPPED: tests/recordings/${name} has not been recorded`);
  return lacks;
}
