import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Document, DocumentRun, DocumentWriter } from "./document.js";

/** A file that appears when it is complete; until then it has a temporary name. */
class DocumentFile {
  readonly #path: string;
  readonly #temporary: string;
  #handle: FileHandle | null = null;

  constructor(path: string) {
    this.#path = resolve(path);
    this.#temporary = `${this.#path}.${process.pid}.tmp`;
  }

  /** Resolves when the text is written, so that a slow disk slows down the writer. */
  async write(text: string): Promise<void> {
    if (!this.#handle) {
      await mkdir(dirname(this.#path), { recursive: true });
      this.#handle = await open(this.#temporary, "w");
    }
    if (text !== "") await this.#handle.writeFile(text);
  }

  async finish(): Promise<void> {
    await this.#close();
    await rename(this.#temporary, this.#path);
  }

  async discard(): Promise<void> {
    await this.#close();
    await rm(this.#temporary, { force: true });
  }

  async #close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }
}

/** Writes a document to a file, whose place may depend on the run. */
export function createFileWriter(
  document: Document,
  choosePath: (run: DocumentRun) => string,
  onWritten: (path: string) => void = () => {},
): DocumentWriter {
  let path = "";
  let file: DocumentFile | null = null;
  return {
    async begin(run) {
      path = choosePath(run);
      file = new DocumentFile(path);
      await file.write(document.begin(run));
    },
    async trial(trial, story) {
      await file?.write(await document.trial(trial, story));
    },
    async end() {
      await file?.write(document.end());
      await file?.finish();
      onWritten(path);
    },
    async abort() {
      await file?.discard();
    },
  };
}

/** Writes the whole text, or leaves the file unchanged. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const file = new DocumentFile(path);
  try {
    await file.write(text);
    await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
}
