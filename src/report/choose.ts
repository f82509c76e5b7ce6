import { join } from "node:path";
import { TermRunError } from "../errors.js";
import type { StoredRun } from "../events/run-folder.js";
import type { Reporter } from "../interfaces/index.js";
import { writeHtml } from "./html/write.js";
import { writeJunit } from "./junit.js";
import { writeMarkdown } from "./markdown.js";
import { createStoredReporter, writeDocument } from "./stored.js";

/** Reports that are files, and what they are called in the run's folder. */
const DOCUMENTS: Record<string, { file: string; write(run: StoredRun): AsyncIterable<string> }> = {
  junit: { file: "junit.xml", write: writeJunit },
  markdown: { file: "report.md", write: writeMarkdown },
  html: { file: "report.html", write: writeHtml },
};
const NAMES = ["console", "json", ...Object.keys(DOCUMENTS), "github"];

export interface ReporterChoice {
  name: string;
  /** null: where it goes by itself. */
  path: string | null;
}

/** `junit,html=out/page.html`, each list after the other. */
export function parseReporters(lists: readonly string[]): ReporterChoice[] {
  const words = lists.flatMap((list) => list.split(",")).map((word) => word.trim());
  return words.filter((word) => word !== "").map(parseReporter);
}

function parseReporter(word: string): ReporterChoice {
  const at = word.indexOf("=");
  const name = at === -1 ? word : word.slice(0, at);
  const path = at === -1 ? null : word.slice(at + 1);
  if (!NAMES.includes(name))
    throw new TermRunError("usage", `there is no reporter ${name}`, {
      hint: `The reporters are: ${NAMES.join(", ")}.`,
    });
  if (path === "" || (path !== null && (name === "console" || name === "github")))
    throw new TermRunError("usage", `--reporter ${word}: this is no file to write`, {
      hint: `Only json, ${Object.keys(DOCUMENTS).join(", ")} write files: name=path.`,
    });
  return { name, path };
}

export function isDocument({ name }: ReporterChoice): boolean {
  return name in DOCUMENTS;
}

/** A reporter that writes its file once the run has ended. */
export function createDocumentReporter(
  { name, path }: ReporterChoice,
  onWritten: (file: string) => void,
): Reporter {
  const document = DOCUMENTS[name];
  if (!document) throw new Error(`${name} writes no document`);
  return createStoredReporter(async (run) => {
    const file = path ?? join(run.dir, document.file);
    await writeDocument(file, document.write(run));
    onWritten(file);
  });
}
