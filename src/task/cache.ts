import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { messageOf, TermRunError } from "../errors.js";

/** Where datasets and registries that were fetched are kept. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const given = env.XDG_CACHE_HOME ?? "";
  const base = isAbsolute(given) ? given : join(homedir(), ".cache");
  return join(base, "term-run", "datasets");
}

/** A name for a file or folder that says where its content is from: readable, and unique. */
export function nameForUrl(url: string): string {
  const readable = url.replace(/^[a-z]+:\/\//, "").replace(/(\.git)?\/?$/, "");
  return `${readable
    .replace(/[^\w.-]+/g, "-")
    .slice(-60)
    .replace(/^[-.]+/, "")}-${shortHash(url)}`;
}

export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** A new name in the cache, for what isn't complete yet or no longer wanted. */
export function temporaryPath(): string {
  const dir = join(cacheFolder(), "tmp");
  makeFolder(dir);
  return join(dir, randomBytes(8).toString("hex"));
}

export function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    throw new TermRunError("usage", `${dir} can't be created: ${messageOf(error)}`, {
      hint: "Set XDG_CACHE_HOME to a folder for datasets that you can write to.",
      cause: error,
    });
  }
}

/** Written completely or not at all. */
export function writeCached(file: string, text: string): void {
  const draft = temporaryPath();
  makeFolder(dirname(file));
  writeFileSync(draft, text);
  renameSync(draft, file);
}

/** Takes a folder out of the cache at once, then removes it. Another process may do the same. */
export function removeCached(dir: string): void {
  const away = temporaryPath();
  try {
    renameSync(dir, away);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  rmSync(away, { recursive: true, force: true });
}
