import type { Reporter } from "../interfaces/index.js";
import type { Output } from "./output.js";
import type { Palette } from "./palette.js";
import { createProgress, trackEvent } from "./progress.js";
import { describeTotals } from "./totals.js";

/** Only the totals and the path of the results. */
export function createQuietReporter(output: Output, palette: Palette): Reporter {
  const progress = createProgress();
  return {
    event(event) {
      trackEvent(progress, event, Date.now());
      if (event.type !== "run_finished") return;
      const lines = describeTotals(event.summary, progress, palette);
      output.write(`${lines.join("\n")}\n`);
    },
  };
}
