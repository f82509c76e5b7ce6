const REPLACEMENT = "[redacted]";

/** Takes known secret values out of texts, also where they are written as JSON. */
export function makeRedactor(secrets: string[]): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets) {
    forms.add(secret);
    forms.add(JSON.stringify(secret).slice(1, -1));
  }
  // The longest first: one secret may be part of another.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((done, secret) => done.replaceAll(secret, REPLACEMENT), text);
}
