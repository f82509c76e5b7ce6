import type { Reporter } from "../interfaces/index.js";
import { describeDetails } from "./details.js";
import { describeEnd } from "./end.js";
import { describeEvent, describeKept } from "./messages.js";
import type { TextOptions } from "./options.js";
import { createProgress, trackEvent } from "./progress.js";

/** For files and pipes: plain lines, nothing is redrawn. */
export function createLinesReporter(options: TextOptions): Reporter {
  const { output, columns, palette, verbose } = options;
  const progress = createProgress();
  return {
    event(event) {
      const lines = [...describeKept(event, progress), ...describeEvent(event, progress, palette)];
      if (verbose) lines.push(...describeDetails(event, progress, palette));
      trackEvent(progress, event, Date.now());
      if (event.type === "run_finished") {
        lines.push(...describeEnd(event.summary, progress, columns, palette));
      }
      for (const line of lines) output.write(`${line}\n`);
    },
  };
}
