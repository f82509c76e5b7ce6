import picomatch from "picomatch";
import { TermRunError } from "../errors.js";

export interface NameGlobs {
  include?: readonly string[] | undefined;
  exclude?: readonly string[] | undefined;
}

const MAX_NAMES = 20;

/** Keeps what has a name that the globs want; the names are asked for only if there are globs. */
export function filterByName<T>(
  all: readonly T[],
  { include = [], exclude = [] }: NameGlobs,
  nameOf: (one: T) => string,
): T[] {
  if (include.length === 0 && exclude.length === 0) return [...all];
  const wanted = include.length > 0 ? picomatch([...include]) : () => true;
  const unwanted = exclude.length > 0 ? picomatch([...exclude]) : () => false;
  return all.filter((one) => {
    const name = nameOf(one);
    return wanted(name) && !unwanted(name);
  });
}

/** The same, and an error if nothing is left. */
export function selectByName<T>(
  all: readonly T[],
  globs: NameGlobs,
  nameOf: (one: T) => string,
): T[] {
  const selected = filterByName(all, globs, nameOf);
  if (selected.length > 0 || all.length === 0) return selected;
  throw new TermRunError("usage", "no task is left after --include and --exclude", {
    hint: `The tasks are: ${shorten(all.map(nameOf))}`,
  });
}

function shorten(names: string[]): string {
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : "";
  return `${names.slice(0, MAX_NAMES).join(", ")}${more}`;
}
