import { join, posix, relative, resolve, sep } from "node:path";
import type { Candidate } from "./candidate.js";
import type { GitFetcher } from "./git/fetcher.js";
import { cleanRepoPath, findFolderProblem } from "./git/repo-path.js";
import { checkGitUrl } from "./git/url.js";
import { looksLikeTask } from "./read.js";
import type { Entry } from "./registry/entry.js";
import type { Base } from "./registry/open.js";
import { entriesIn, namesIn } from "./text.js";

/** Where a dataset is listed, and how its tasks are found. */
export interface ListPlace {
  base: Base;
  /** How records call the dataset; null: it has no name. */
  label: string | null;
  fetcher: GitFetcher;
  /** The folder of a task beside the list. */
  findByName(name: string): string | null;
}

type Repository = NonNullable<Entry["git"]>;
type InRepository = Extract<Candidate["place"], { path: string }>;

/** The tasks that an entry stands for: a folder beside the list, or in a repository. */
export async function placeEntry(entry: Entry, list: ListPlace): Promise<Candidate[]> {
  const { name, digest } = entry;
  const { base, label, fetcher } = list;
  const candidate = (place: Candidate["place"], own = name): Candidate => {
    const problem = (text: string) => entry.fields.problem(entry.pathKey, text);
    return { name: own, place, digest, dataset: label, problem };
  };
  if (!entry.git && base.dir !== null) {
    const dir = findBeside(entry, base.dir, list);
    if (!base.git) return [candidate({ dir })];
    const below = relative(base.dir, dir).split(sep).join("/");
    return [candidate(await findInRepository(base.git, below, entry, fetcher))];
  }
  const repository = entry.git ? checkRepository(entry.git, entry, list) : base.git;
  if (!repository) throw entry.fields.problem(entry.pathKey, "needs a git_url beside it");
  if (entry.path === null) throw entry.fields.problem("name", "needs a path beside it");
  const place = await findInRepository(repository, entry.path, entry, fetcher);
  if (!entry.isFolder) return [candidate(place)];
  const names = await listFolder(place, entry, fetcher);
  return names.map((own) => candidate({ ...place, path: posix.join(place.path, own) }, own));
}

function findBeside({ name, path, fields, pathKey }: Entry, base: string, list: ListPlace): string {
  const dir = path === null ? list.findByName(name as string) : resolve(base, path);
  if (dir !== null && looksLikeTask(namesIn(dir))) return dir;
  throw fields.problem(pathKey, `is ${path ?? name}: no such task`);
}

function checkRepository(
  { url, ref }: Repository,
  { fields, urlKey }: Entry,
  { base: { dir, isLocal } }: ListPlace,
): Repository {
  const checked = checkGitUrl(url, isLocal ? (dir ?? process.cwd()) : null);
  if ("url" in checked) return { url: checked.url, ref };
  throw fields.problem(urlKey, checked.problem);
}

async function findInRepository(
  { url, ref }: Repository,
  path: string,
  { fields, pathKey }: Entry,
  fetcher: GitFetcher,
): Promise<InRepository> {
  const clean = cleanRepoPath(path);
  if (clean === null) throw fields.problem(pathKey, `is ${path}, which could lead out of ${url}`);
  return { commit: { url, id: await fetcher.commitOf(url, ref) }, path: clean };
}

/** The names of the tasks in a folder of a repository, which is fetched. */
async function listFolder(
  { commit, path }: InRepository,
  { fields, pathKey }: Entry,
  fetcher: GitFetcher,
): Promise<string[]> {
  const checkout = await fetcher.checkout(commit, [path]);
  const problem = findFolderProblem(checkout, path);
  if (problem) throw fields.problem(pathKey, `is ${path}, which ${problem}`);
  const dir = join(checkout, path);
  const names = entriesIn(dir)
    .filter((entry) => entry.isDirectory() && looksLikeTask(namesIn(join(dir, entry.name))))
    .map((entry) => entry.name);
  if (names.length === 0) throw fields.problem(pathKey, `is ${path}, where no task is`);
  return names.sort();
}
