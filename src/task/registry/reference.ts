/** A dataset by its name; without a version, the one that its registry prefers. */
export interface Reference {
  name: string;
  version: string | null;
}

const PART = "[A-Za-z0-9][A-Za-z0-9._-]*";
const REFERENCE = new RegExp(`^(${PART}(?:/${PART})?)(?:(?:@|==)([A-Za-z0-9][\\w.+-]*))?$`);

/** `NAME@VERSION`, `NAME==VERSION` or `NAME`; null: it is none of these. */
export function parseReference(text: string): Reference | null {
  const match = REFERENCE.exec(text);
  return match ? { name: match[1] as string, version: match[2] ?? null } : null;
}

export function formatReference({ name, version }: Reference): string {
  return version === null ? name : `${name}@${version}`;
}
