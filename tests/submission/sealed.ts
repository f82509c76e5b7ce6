import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Event } from "../../src/events/types.js";
import { hashFile, listFiles, MANIFEST, type Manifest } from "../../src/submission/manifest.js";
import { packSubmission } from "../../src/submission/pack.js";
import { type StoredRunParts, writeStoredRun } from "../support/stored-run.js";

export const VERSION = { version: "0.1.0", now: new Date("2030-02-01T00:00:00.000Z") };

export function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "submission-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A submission of a run, with the means to tamper with it. */
export async function makeSubmission(parts: StoredRunParts): Promise<Submission> {
  const dir = makeFolder();
  const run = writeStoredRun(join(dir, "run"), parts);
  await packSubmission(run, join(dir, "submission"), VERSION);
  return new Submission(join(dir, "submission"));
}

export class Submission {
  constructor(readonly dir: string) {}

  // biome-ignore lint/suspicious/noExplicitAny: tests know the file that they tamper with.
  edit(file: string, change: (content: any) => unknown): void {
    const path = join(this.dir, file);
    const content = JSON.parse(readFileSync(path, "utf8"));
    const changed = change(content) ?? content;
    writeFileSync(path, `${JSON.stringify(changed, null, 2)}\n`);
  }

  /** Changes or drops (null) the events of a log. */
  editLog(file: string, change: (event: Event) => Event | null | undefined): void {
    const path = join(this.dir, file);
    const events = readFileSync(path, "utf8").trimEnd().split("\n");
    const changed = events.flatMap((line) => {
      const event = JSON.parse(line) as Event;
      const after = change(event);
      return after === null ? [] : [JSON.stringify(after ?? event)];
    });
    writeFileSync(path, `${changed.join("\n")}\n`);
  }

  remove(path: string): void {
    rmSync(join(this.dir, path), { recursive: true });
  }

  /** The last step of a careful forger: a manifest that matches again. */
  async reseal(): Promise<void> {
    const files: Manifest["files"] = {};
    for (const file of (await listFiles(this.dir)).files)
      if (file !== MANIFEST) files[file] = await hashFile(join(this.dir, file));
    this.edit(MANIFEST, (manifest) => {
      manifest.files = files;
    });
  }
}
