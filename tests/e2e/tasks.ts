import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Place } from "./cli.js";

const MINIMAL: Record<string, string> = {
  "task.toml": "[verifier]\nreward = 'exit-code'\n[environment]\nallow_internet = false\n",
  "instruction.md": "Do nothing.\n",
  "tests/test.sh": "#!/bin/sh\nexit 0\n",
  "solution/solve.sh": "#!/bin/sh\n",
};

/** Writes a task that passes when nothing is done, with some changes, and returns its folder. */
export function writeTask(place: Place, name: string, changes: Record<string, string> = {}) {
  const dir = join(place.dir, "tasks", name);
  for (const [file, content] of Object.entries({ ...MINIMAL, ...changes })) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), content);
  }
  return dir;
}
