import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/** A real git repository. */
export interface Repository {
  dir: string;
  url: string;
  /** Writes files, commits everything, and returns the commit. */
  commit(files?: Record<string, string>): string;
  /** Adds a symbolic link to the next commit. */
  link(path: string, target: string): void;
  /** As when there is no network. */
  goAway(): void;
  comeBack(): void;
}

const ENV = {
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

export function makeRepository(dir: string): Repository {
  mkdirSync(dir, { recursive: true });
  git(dir, "init", "--quiet", "--initial-branch=main");
  // As public servers do: then only what is checked out is sent.
  git(dir, "config", "uploadpack.allowFilter", "true");
  const away = `${dir}-away`;
  const move = (from: string, to: string) => {
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    rmSync(from, { recursive: true });
  };
  return {
    dir,
    url: pathToFileURL(dir).href,
    commit(files = {}) {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(dir, name)), { recursive: true });
        writeFileSync(join(dir, name), content);
      }
      git(dir, "add", "--all");
      git(dir, "commit", "--quiet", "--allow-empty", "--message=change");
      return git(dir, "rev-parse", "HEAD");
    },
    link(path, target) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      symlinkSync(target, join(dir, path));
    },
    goAway: () => move(dir, away),
    comeBack: () => move(away, dir),
  };
}

/** The files of the smallest task, below a folder. */
export function taskFiles(folder: string, changes: Record<string, string> = {}) {
  const files = {
    "task.toml": "[environment]\nallow_internet = false\n",
    "instruction.md": "Do nothing.\n",
    "tests/test.sh": "#!/bin/sh\necho 1 >/logs/verifier/reward.txt\n",
    "solution/solve.sh": "#!/bin/sh\n",
    ...changes,
  };
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]),
  );
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...ENV },
  }).trim();
}
