import { readStory, type StoredRun, type Story } from "../../events/index.js";
import { arrangeRun } from "./arrange.js";
import type { DocumentWriter } from "./document.js";

interface WriteOptions {
  /** Called with the first failure of each writer. */
  onFailure(error: unknown, writer: DocumentWriter): void;
  readStory?: (runDir: string, trial: string) => Promise<Story>;
}

/**
 * Writes all documents of a run from one reading of it: each story is read once, and one is in
 * memory at a time. When one writer fails the others continue.
 */
export async function writeDocuments(
  run: StoredRun,
  writers: readonly DocumentWriter[],
  { onFailure, readStory: read = readStory }: WriteOptions,
): Promise<void> {
  const active = new Set(writers);

  async function drop(error: unknown, writer: DocumentWriter): Promise<void> {
    active.delete(writer);
    onFailure(error, writer);
    // The failure above is the one that matters.
    await writer.abort().catch(() => {});
  }

  async function each(act: (writer: DocumentWriter) => Promise<void>): Promise<void> {
    const guarded = async (writer: DocumentWriter) => {
      try {
        await act(writer);
      } catch (error) {
        await drop(error, writer);
      }
    };
    await Promise.all([...active].map(guarded));
  }

  try {
    const whole = arrangeRun(run);
    await each((writer) => writer.begin(whole));
    for (const trial of whole.trials) {
      if (active.size === 0) return;
      const story = await read(run.dir, trial.planned.trial);
      await each((writer) => writer.trial(trial, story));
    }
    await each((writer) => writer.end());
  } catch (error) {
    // The run itself can't be read, so every writer has failed.
    await Promise.all([...active].map((writer) => drop(error, writer)));
  }
}
