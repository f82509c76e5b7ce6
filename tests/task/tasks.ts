import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export function makeFolder(): { dir: string; remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), "tasks-"));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

const MINIMAL: Record<string, string> = {
  "task.toml": 'version = "1.0"\n',
  "instruction.md": "Say hello.\n",
  "tests/test.sh": "exit 0\n",
};

/** Writes the smallest task there is; `null` leaves a file out. */
export function writeTask(dir: string, changes: Record<string, string | null> = {}): string {
  for (const [name, content] of Object.entries({ ...MINIMAL, ...changes })) {
    if (content === null) continue;
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  return dir;
}
