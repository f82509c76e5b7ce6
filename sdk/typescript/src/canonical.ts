export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Plain JSON data: dates and the like as JSON.stringify writes them, undefined omitted. */
export function toPlainJson(value: unknown): Json {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError("not a JSON value");
  return JSON.parse(text) as Json;
}

/**
 * Canonical JSON (RFC 8785), the same bytes in every language: sorted keys, no spaces, numbers as
 * ECMAScript writes them. A lone surrogate, which UTF-8 cannot hold, becomes U+FFFD.
 */
export function writeCanonical(value: Json): string {
  if (typeof value === "string") return JSON.stringify(value.toWellFormed());
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(writeCanonical).join(",")}]`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${writeCanonical(key)}:${writeCanonical(value[key] as Json)}`);
  return `{${members.join(",")}}`;
}
