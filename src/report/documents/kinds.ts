import { join } from "node:path";
import { createHtml } from "../html/write.js";
import type { Document, DocumentWriter } from "./document.js";
import { createFileWriter } from "./file.js";
import { createJunit } from "./junit.js";
import { createMarkdown } from "./markdown.js";

/** Reports that are files, and their names in the run's folder. */
const KINDS: Record<string, { file: string; create(): Document }> = {
  junit: { file: "junit.xml", create: createJunit },
  markdown: { file: "report.md", create: createMarkdown },
  html: { file: "report.html", create: createHtml },
};

export const DOCUMENT_NAMES = Object.keys(KINDS);

/** The writer of a kind of document; without a path its file goes into the run's folder. */
export function createDocumentWriter(
  name: string,
  path: string | null,
  onWritten: (path: string) => void,
): DocumentWriter {
  const kind = KINDS[name];
  if (!kind) throw new Error(`${name} is not a document`);
  return createFileWriter(kind.create(), (run) => path ?? join(run.dir, kind.file), onWritten);
}
