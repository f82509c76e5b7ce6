export type Path = (string | number)[];

const HEADER = /^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/;
const KEY = /^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=/;
const PART = /[\w-]+|"[^"]*"|'[^']*'/g;
const MULTI_LINE = /"""|'''/g;

/** The line (from 1) of a field, or of the closest table around it; null if neither is found. */
export function findTomlLine(text: string, path: Path): number | null {
  const counts = new Map<string, number>();
  let table: Path = [];
  let best: { length: number; line: number } | null = null;
  let inString = false;
  for (const [index, line] of text.split("\n").entries()) {
    const startsInString = inString;
    if ((line.match(MULTI_LINE)?.length ?? 0) % 2 === 1) inString = !inString;
    if (startsInString) continue;
    const header = HEADER.exec(line);
    const key = header ? null : KEY.exec(line);
    if (header) table = tablePath(splitKey(header[2] as string), header[1] === "[[", counts);
    else if (!key) continue;
    const here = key ? [...table, ...splitKey(key[1] as string)] : table;
    const length = Math.min(here.length, path.length);
    const shared = here.slice(0, length).every((part, i) => part === path[i]) ? length : 0;
    if (shared > (best?.length ?? 0)) best = { length: shared, line: index + 1 };
  }
  return best?.line ?? null;
}

/** Puts the index of the latest element after the name of each array of tables. */
function tablePath(names: string[], opensElement: boolean, counts: Map<string, number>): Path {
  const path: Path = [];
  for (const [i, name] of names.entries()) {
    path.push(name);
    const id = JSON.stringify(path);
    if (opensElement && i === names.length - 1) counts.set(id, (counts.get(id) ?? -1) + 1);
    const index = counts.get(id);
    if (index !== undefined) path.push(index);
  }
  return path;
}

function splitKey(key: string): string[] {
  return (key.match(PART) ?? []).map((part) => part.replace(/^["']|["']$/g, ""));
}
