import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { removeTree } from "../../src/process/remove-tree.js";

it("removes a folder whose paths are too long and whose modes forbid it", async () => {
  const dir = mkdtempSync(join(tmpdir(), "remove-"));
  const script =
    'cd "$1"; mkdir -p ro/x; i=0; while [ $i -lt 3000 ]; do mkdir dd; cd -P dd; i=$((i+1)); done; chmod 500 "$1/ro"';
  execFileSync("bash", ["-c", script, "bash", dir]);
  await removeTree(dir);
  expect(existsSync(dir)).toBe(false);
});
