import { asInfraError, messageOf, TermRunError } from "../../errors.js";
import { Watchdog } from "../../process/index.js";
import { cacheFolder } from "../cache.js";
import type { FetchReport } from "../fetch-report.js";
import { addCheckout, type Commit, findCheckout } from "./checkouts.js";
import { createGit, type Git, GitError } from "./command.js";
import { resolveCommit } from "./commit.js";

/** Gets folders of git repositories into the cache. */
export class GitFetcher {
  readonly #watchdog = new Watchdog();
  readonly #git: Git = createGit(this.#watchdog);
  readonly #commits = new Map<string, Promise<string>>();
  readonly #report: FetchReport;

  constructor(report: FetchReport) {
    this.#report = report;
  }

  /** The commit that a name such as `HEAD` or a branch stands for now; a commit id stays as it is. */
  commitOf(url: string, ref: string): Promise<string> {
    const key = `${ref} ${url}`;
    const known = this.#commits.get(key) ?? resolveCommit(this.#git, url, ref, this.#report);
    this.#commits.set(key, known);
    return known;
  }

  /** A checkout with these folders of a commit (`""` for all), from the cache or the repository. */
  async checkout(commit: Commit, paths: string[]): Promise<string> {
    const wanted = [...new Set(paths)].sort();
    try {
      return (await this.#find(commit, wanted)) ?? (await this.#fetch(commit, wanted));
    } catch (error) {
      const isDisk = (error as NodeJS.ErrnoException).syscall !== undefined;
      throw isDisk ? asInfraError(error, `${cacheFolder()} can't be used`) : error;
    }
  }

  /** Releases what looks after git. */
  close(): void {
    this.#watchdog.dismiss();
  }

  #find(commit: Commit, paths: string[]): Promise<string | null> {
    return findCheckout(this.#git, commit, paths, () =>
      this.#report.progress(`the cached copy of ${name(commit)} was changed, and is replaced`),
    );
  }

  #fetch(commit: Commit, paths: string[]): Promise<string> {
    const text = `fetching ${describeFolders(paths)} of ${name(commit)}`;
    this.#report.progress(text);
    return addCheckout(commit, paths, {
      watch: (dir) => this.#watchdog.watchFolder(dir),
      fill: (tree) => this.#fill(tree, commit, paths, (line) => this.#report.progress(text, line)),
    });
  }

  /** The commit alone, without its history, and of its files only those in these folders. */
  async #fill(
    tree: string,
    { url, id }: Commit,
    paths: string[],
    onLine: (line: string) => void,
  ): Promise<void> {
    const git = (args: string[], input = "") => this.#git(args, { cwd: tree, input, onLine });
    try {
      await git(["init", "--quiet"]);
      await git(["remote", "add", "--", "origin", url]);
      const what = ["--depth=1", "--filter=blob:none", "--no-tags", "--progress"];
      await git(["fetch", ...what, "--", "origin", id]);
      if (!paths.includes("")) {
        // In two steps for git before 2.35.
        await git(["sparse-checkout", "init", "--cone"]);
        await git(["sparse-checkout", "set", "--stdin"], paths.map(quote).join(""));
      }
      await git(["checkout", "--progress", "--detach", id]);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      throw new TermRunError(
        "infra",
        `${name({ url, id })} can't be fetched: ${messageOf(error)}`,
        {
          hint: "Check the URL, the commit, and the network. What was fetched once works without a network.",
          cause: error,
        },
      );
    }
  }
}

function name({ url, id }: Commit): string {
  return `${url} at ${id.slice(0, 10)}`;
}

function describeFolders(paths: string[]): string {
  if (paths.length === 0) return "the top folder";
  if (paths.includes("")) return "all";
  return paths.length === 1 ? String(paths[0]) : `${paths.length} folders`;
}

/** As git reads it: in quotes, like a string in C. */
function quote(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&")}"\n`;
}
