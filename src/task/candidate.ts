import { basename } from "node:path";
import type { TermRunError } from "../errors.js";
import type { Commit } from "./git/checkouts.js";
import { nameOfFolder } from "./read.js";
import type { Digest } from "./registry/entry.js";

/** A task that was named: it isn't read yet, and maybe not fetched. */
export interface Candidate {
  /** What a list calls it; null: it wasn't in a list, or has no name there. */
  name: string | null;
  place: { dir: string } | { commit: Commit; path: string };
  digest: Digest | null;
  /** The dataset that it is of. */
  dataset: string | null;
  /** An error about where it is listed. */
  problem(text: string): TermRunError;
}

/** A task that can't be read, and why. */
export interface Unreadable {
  task: string;
  /** null: there is no such folder. */
  dir: string | null;
  problem: string;
}

/** The name of a task that isn't read yet; that of a repository's folder is what its list says. */
export function nameOf({ name, place }: Candidate): string {
  if ("dir" in place) return nameOfFolder(place.dir);
  return name ?? basename(place.path);
}

/** The same for each mention of one folder. */
export function keyOf({ place }: Candidate): string {
  return "dir" in place ? place.dir : `${place.commit.url} ${place.commit.id} ${place.path}`;
}
