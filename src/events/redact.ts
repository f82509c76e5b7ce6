import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

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

/** Does the same to the files of a folder, whatever they hold. */
export async function redactFolder(dir: string, redact: (text: string) => string): Promise<void> {
  const entries = await readdir(dir, { withFileTypes: true, recursive: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // One character for each byte, so that a binary file stays what it is.
    const text = await readFile(path, "latin1");
    const redacted = redact(text);
    if (redacted !== text) await writeFile(path, redacted, "latin1");
  }
}
