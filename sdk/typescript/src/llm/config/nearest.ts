/** The most similar name, if it is similar enough to be the intended one. */
export function nearestOf(name: string, names: readonly string[]): string | null {
  const [nearest] = names
    .map((candidate) => ({ candidate, distance: distance(plain(name), plain(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= Math.max(2, name.length / 3) ? nearest.candidate : null;
}

/** So that max_tokens matches maxTokens. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Levenshtein distance. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
