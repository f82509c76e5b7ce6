import type { StoredRun } from "../../src/events/run-folder.js";
import type { Document, DocumentWriter } from "../../src/report/documents/document.js";
import { writeDocuments } from "../../src/report/documents/write.js";

/** Writes a run with one writer; if it fails, so does the test. */
export async function drive(run: StoredRun, writer: DocumentWriter): Promise<void> {
  const failures: unknown[] = [];
  await writeDocuments(run, [writer], { onFailure: (error) => failures.push(error) });
  if (failures.length > 0) throw failures[0];
}

/** A document of a run as text. */
export async function render(run: StoredRun, document: Document): Promise<string> {
  let text = "";
  await drive(run, {
    async begin(whole) {
      text += document.begin(whole);
    },
    async trial(trial, story) {
      text += await document.trial(trial, story);
    },
    async end() {
      text += document.end();
    },
    async abort() {},
  });
  return text;
}
