import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";

/** A folder for one test; the cache is in it, too. */
export function makeCachedPlace(): { dir: string; cache: string } {
  const dir = mkdtempSync(join(tmpdir(), "datasets-"));
  vi.stubEnv("XDG_CACHE_HOME", join(dir, "cache"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(dir, { recursive: true, force: true });
  });
  return { dir, cache: join(dir, "cache/term-run/datasets") };
}
