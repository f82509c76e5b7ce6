const TOLERANCE = 1e-9;

export interface Difference {
  path: string;
  stated: unknown;
  actual: unknown;
}

/** The first place where a stated value differs from the actual one. Only stated fields are compared. */
export function findDifference(stated: unknown, actual: unknown, path = ""): Difference | null {
  if (typeof stated === "number" && typeof actual === "number")
    return Math.abs(stated - actual) <= TOLERANCE * Math.max(1, Math.abs(actual))
      ? null
      : { path, stated, actual };
  if (Array.isArray(stated) !== Array.isArray(actual)) return { path, stated, actual };
  if (Array.isArray(stated) && stated.length !== (actual as unknown[]).length)
    return { path: `${path}.length`, stated: stated.length, actual: (actual as unknown[]).length };
  if (isObject(stated) && isObject(actual)) {
    for (const key of Object.keys(stated)) {
      const inner = path === "" ? key : `${path}.${key}`;
      const difference = findDifference(stated[key], actual[key], inner);
      if (difference) return difference;
    }
    return null;
  }
  return Object.is(stated, actual) ? null : { path, stated, actual };
}

export function describeDifference({ path, stated, actual }: Difference): string {
  return `${path} is ${show(stated)}, but ${show(actual)}`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
