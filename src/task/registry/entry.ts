import type { Fields } from "../fields.js";
import { readRef } from "../git/commit.js";

/** What a list says of one task, or of a folder of tasks. */
export interface Entry {
  name: string | null;
  /** Its folder; null: it is found by its name. */
  path: string | null;
  /** The repository that the folder is in; null: where the list is. */
  git: { url: string; ref: string } | null;
  digest: Digest | null;
  /** Whether it stands for all tasks in the folder. */
  isFolder: boolean;
  /** For errors: the fields, and which of them say where the task is. */
  fields: Fields;
  pathKey: string;
  urlKey: string;
}

/** The hash that a task's content must have, and where that was said. */
export interface Digest {
  hex: string;
  place(): string;
}

/** An entry of a list in Harbor's format: a path, a name, or a folder of a git repository. */
export function readEntry(fields: Fields): Entry {
  const path = fields.string("path");
  const name = path === null ? fields.required("name") : fields.string("name");
  return {
    name,
    path,
    git: readGit(fields),
    digest: readDigest(fields),
    isFolder: false,
    fields,
    pathKey: path === null ? "name" : "path",
    urlKey: "git_url",
  };
}

function readGit(fields: Fields): Entry["git"] {
  const commit = fields.string("git_commit_id");
  if (!fields.has("git_url")) return null;
  const url = fields.required("git_url");
  fields.required("path");
  const ref = readRef(commit);
  if (ref === null) throw fields.wrong("git_commit_id", 'a whole commit id or "head"', commit);
  return { url, ref };
}

function readDigest(fields: Fields): Digest | null {
  const digest = fields.string("digest");
  if (digest === null) return null;
  const hex = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(digest)?.[1]?.toLowerCase();
  if (hex === undefined) throw fields.wrong("digest", "sha256: and 64 hex digits", digest);
  return { hex, place: () => fields.place("digest") };
}
