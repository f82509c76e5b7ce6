import { readRun } from "../../events/index.js";
import type { Reporter } from "../../interfaces/index.js";
import type { DocumentWriter } from "./document.js";
import { writeDocuments } from "./write.js";

/** A reporter that waits for the end of the run and then writes all documents from its folder. */
export function createDocumentsReporter(
  writers: readonly DocumentWriter[],
  onFailure: (error: unknown) => void,
): Reporter {
  let out: string | null = null;
  let finished = false;
  return {
    event(event) {
      if (event.type === "run_started") out = event.out;
      if (event.type === "run_finished") finished = true;
    },
    async close() {
      // A run that did not finish has an error, which was already reported.
      if (out !== null && finished)
        await writeDocuments(await readRun(out), writers, { onFailure });
    },
  };
}
