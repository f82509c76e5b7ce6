import { existsSync, statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { TermRunError } from "../../errors.js";
import { type Document, readJson, readToml } from "../document.js";
import type { FetchReport } from "../fetch-report.js";
import type { GitFetcher } from "../git/fetcher.js";
import { checkGitUrl } from "../git/url.js";
import { type Dataset, type NamedDataset, readDatasets, readNamedDatasets } from "./dataset.js";
import { download, isLoopback, isSafeUrl, nameUrl } from "./download.js";

const FILES = ["registry.json", "dataset.toml"];

/** Where a list of tasks is, for what its entries are relative to. */
export interface Base {
  /** Its folder; null: it isn't on this machine. */
  dir: string | null;
  /** The repository that it is in, if it was read from one. */
  git: { url: string; ref: string } | null;
  /** Whether it may name repositories on this machine. */
  isLocal: boolean;
}

export interface Registry {
  /** For messages and records. */
  name: string;
  base: Base;
  datasets: NamedDataset[];
}

/** A registry given as a file, a folder, a git URL, or the URL of a file. */
export async function openRegistry(
  spec: string,
  fetcher: GitFetcher,
  report: FetchReport,
): Promise<Registry> {
  if (/^https?:\/\//.test(spec) && URL.canParse(spec)) {
    const url = new URL(spec);
    if (!isSafeUrl(url)) throw unusable(spec, "must start with https://");
    if ([".json", ".toml"].includes(extname(url.pathname))) return openUrl(url, report);
  }
  const path = resolve(spec);
  const info = statSync(path, { throwIfNoEntry: false });
  if (info?.isFile()) return openFile(path);
  const file = FILES.map((name) => join(path, name)).find((name) => existsSync(name));
  if (file !== undefined) return openFile(file);
  if (!info && !/:/.test(spec)) throw unusable(spec, "doesn't exist");
  return openRepository(spec, fetcher);
}

/** The datasets in a file that is given as a list of tasks; they needn't have names. */
export function readDatasetFile(file: string): { base: Base; datasets: Dataset[] } {
  return {
    base: { dir: dirname(file), git: null, isLocal: true },
    datasets: readDatasets(readList(file)),
  };
}

/** A file's or URL's text as what its ending says. */
function readList(file: string, text?: string): Document {
  return extname(file) === ".toml" ? readToml(file, text) : readJson(file, text);
}

function openFile(file: string): Registry {
  const datasets = readNamedDatasets(readList(file));
  return { name: file, base: { dir: dirname(file), git: null, isLocal: true }, datasets };
}

async function openUrl(url: URL, report: FetchReport): Promise<Registry> {
  const name = nameUrl(url);
  // Nobody needs the lines of a file that isn't here, and finding them in a large one takes long.
  const list = { ...readList(name, await download(url, report)), lineOf: () => null };
  const datasets = readNamedDatasets(list);
  const base = { dir: null, git: githubRepository(url), isLocal: isLoopback(url.hostname) };
  return { name, base, datasets };
}

/** Where GitHub shows a file of a repository; entries without a repository are in this one. */
export function githubRepository({ hostname, pathname }: URL): Base["git"] {
  if (hostname !== "raw.githubusercontent.com") return null;
  const [, owner, repo, ...rest] = pathname.split("/");
  const ref = rest[0] === "refs" && rest[1] === "heads" ? rest[2] : rest[0];
  if (!owner || !repo || !ref) return null;
  const isCommit = /^[0-9a-f]{40}$/.test(ref);
  return {
    url: `https://github.com/${owner}/${repo}.git`,
    ref: isCommit ? ref : `refs/heads/${ref}`,
  };
}

async function openRepository(spec: string, fetcher: GitFetcher): Promise<Registry> {
  const checked = checkGitUrl(spec, process.cwd());
  if ("problem" in checked) throw unusable(spec, checked.problem);
  const { url } = checked;
  const isLocal = url.startsWith("file:");
  const id = await fetcher.commitOf(url, "HEAD");
  const git = { url, ref: id };
  const top = await fetcher.checkout({ url, id }, []);
  const name = FILES.find((file) => existsSync(join(top, file)));
  if (name === undefined) throw unusable(spec, `has neither a ${FILES.join(" nor a ")}`);
  if (name === "registry.json") {
    const datasets = readNamedDatasets(readJson(join(top, name)));
    return { name: url, base: { dir: null, git, isLocal }, datasets };
  }
  // It lists tasks by name: only all of the folders can say where they are.
  const dir = await fetcher.checkout({ url, id }, [""]);
  return {
    name: url,
    base: { dir, git, isLocal },
    datasets: readNamedDatasets(readToml(join(dir, name))),
  };
}

function unusable(spec: string, problem: string): TermRunError {
  return new TermRunError("usage", `the registry ${spec} ${problem}`, {
    hint: "Give a registry.json or dataset.toml: its file, folder, git repository or https URL.",
  });
}
