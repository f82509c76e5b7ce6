import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf, TermRunError } from "../../errors.js";
import { cacheFolder, nameForUrl, shortHash, writeCached } from "../cache.js";
import type { FetchReport } from "../fetch-report.js";
import { type Git, GitError } from "./command.js";

const TIMEOUT_MS = 2 * 60 * 1000;
const COMMIT = /^[0-9a-f]{40}$/;
const BRANCH = /^refs\/heads\/[A-Za-z0-9_][\w.+/-]*$/;

/** `HEAD`, a branch as `refs/heads/…` or a commit id, or null if it is none of these. */
export function readRef(commit: string | null, branch: string | null = null): string | null {
  if (commit !== null && commit.toLowerCase() !== "head")
    return COMMIT.test(commit.toLowerCase()) ? commit.toLowerCase() : null;
  if (branch === null) return "HEAD";
  const ref = `refs/heads/${branch}`;
  return BRANCH.test(ref) && !ref.includes("..") ? ref : null;
}

/** Asks the repository; without a network, the latest answer counts. */
export async function resolveCommit(
  git: Git,
  url: string,
  ref: string,
  report: FetchReport,
): Promise<string> {
  if (COMMIT.test(ref)) return ref;
  const file = join(cacheFolder(), "refs", nameForUrl(url), shortHash(ref));
  report.progress(`asking ${url} for ${ref}`);
  try {
    const answer = await git(["ls-remote", "--", url, ref], { timeoutMs: TIMEOUT_MS });
    const id = answer
      .split("\n")
      .find((line) => line.endsWith(`\t${ref}`))
      ?.slice(0, 40);
    if (id === undefined || !COMMIT.test(id))
      throw new TermRunError("usage", `${url} has no ${ref}`, { hint: "Check the registry." });
    writeCached(file, id);
    return id;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (!existsSync(file))
      throw new TermRunError("infra", `${url} can't be reached: ${messageOf(error)}`, {
        hint: "Check the URL and the network.",
        cause: error,
      });
    const id = readFileSync(file, "utf8");
    const when = statSync(file).mtime.toISOString().slice(0, 10);
    report.warning(
      `${url} can't be reached (${messageOf(error)}): using its ${ref} of ${when}, ${id.slice(0, 10)}`,
    );
    return id;
  }
}
