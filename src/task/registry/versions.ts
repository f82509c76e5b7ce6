/** The version that counts when none is asked for: `head`, else the highest, else the last by text. */
export function chooseVersion(versions: readonly string[]): string | null {
  if (versions.includes("head")) return "head";
  return versions.toSorted(compareVersions).at(-1) ?? null;
}

/** By numbers where both consist of numbers; others come before, by text. */
function compareVersions(a: string, b: string): number {
  const [one, other] = [numbersOf(a), numbersOf(b)];
  if (!one || !other) return Number(!other) - Number(!one) || (a < b ? -1 : a > b ? 1 : 0);
  for (let i = 0; i < Math.max(one.length, other.length); i++) {
    const difference = (one[i] ?? 0) - (other[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(version: string): number[] | null {
  return /^v?\d+(\.\d+)*$/.test(version) ? version.replace("v", "").split(".").map(Number) : null;
}
