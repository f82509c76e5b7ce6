// How long it takes to find and read 5,000 task folders, as a user sees it: a whole `--dry-run`,
// compared with a `find` over the same folders.
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

const FOLDERS = 5_000;
const ROUNDS = 5;
const LIMIT_SEC = 2;

const fromRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const root = await mkdtemp(join(tmpdir(), "term-run-bench-"));
try {
  for (let number = 1; number <= FOLDERS; number++)
    await cp(fromRoot("tasks/log-report"), join(root, `task-${number}`), { recursive: true });
  const listing = [];
  const finding = [];
  for (let round = 0; round < ROUNDS; round++) {
    const args = [fromRoot("dist/cli/main.js"), root, "--agent", "nop", "--dry-run"];
    listing.push(await timed(process.execPath, args));
    finding.push(await timed("find", [root, "-type", "f"]));
  }
  const best = Math.min(...listing);
  const ratio = best / Math.min(...finding);
  console.log(
    `${FOLDERS} task folders listed in ${best.toFixed(2)} s (the best of ${ROUNDS}; ${ratio.toFixed(1)} times a find over them)`,
  );
  console.log(`The limit: at most ${LIMIT_SEC} s. ${best <= LIMIT_SEC ? "Passed." : "Failed."}`);
  process.exitCode = best <= LIMIT_SEC ? 0 : 1;
} finally {
  await rm(root, { recursive: true, force: true });
}

async function timed(command, args) {
  const began = performance.now();
  await execa(command, args, { stdout: "ignore" });
  return (performance.now() - began) / 1000;
}
