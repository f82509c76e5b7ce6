import { distance } from "fastest-levenshtein";

/** The known name that a misspelt one was probably meant to be, or null. */
export function findNearest(name: string, known: Iterable<string>): string | null {
  let nearest: string | null = null;
  let least = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const edits = isShortFor(name, candidate) ? 1 : editDistance(name.toLowerCase(), candidate);
    if (edits >= least) continue;
    least = edits;
    nearest = candidate;
  }
  return nearest;
}

/** `timeout` for `timeout_sec`. */
function isShortFor(name: string, candidate: string): boolean {
  return candidate.startsWith(`${name}_`) || name.startsWith(`${candidate}_`);
}

/** Letters to add, drop or change; two swapped neighbours count as one, the commonest typo. */
export function editDistance(a: string, b: string): number {
  const letters = [...a];
  let swaps = 0;
  for (let i = 0; i + 1 < letters.length; i++) {
    const [first, second] = [letters[i] as string, letters[i + 1] as string];
    if (first === second || first !== b[i + 1] || second !== b[i]) continue;
    letters.splice(i, 2, second, first);
    swaps += 1;
  }
  return Math.min(distance(a, b), swaps + distance(letters.join(""), b));
}
