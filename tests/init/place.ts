import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder outside the repository, removed after the test. */
export function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "init-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
