import type { ErrorRecord, Event, RunEvent } from "../events/index.js";
import { formatCount, formatDuration } from "./format.js";
import type { Palette } from "./palette.js";
import type { Progress } from "./progress.js";
import { cleanLine } from "./text.js";
import { describeResult } from "./trial-line.js";

/** How many results a resumed run keeps from before, once all of them are known. */
export function describeKept(event: Event, { keptInARow }: Progress): string[] {
  if (keptInARow === 0 || event.type === "trial_kept") return [];
  return [`${formatCount(keptInARow, "result")} kept from before`];
}

/** The lines that an event leaves on the screen. `progress` is as it was before the event. */
export function describeEvent(event: Event, progress: Progress, palette: Palette): string[] {
  switch (event.type) {
    case "run_started":
      return [describeRun(event, palette)];
    case "image_started":
      return [
        `${nameImage(event.image, palette)}  preparing for ${formatCount(event.tasks.length, "task")}`,
      ];
    case "image_finished":
      return describeImageEnd(event, progress, palette);
    case "warning":
      return [`${palette.yellow("! warning")}  ${cleanLine(event.text)}`];
    case "trial_retried":
      return [
        `${palette.yellow("! retried")}  ${palette.bold(cleanLine(event.trial))}  ${cleanLine(event.reason)}`,
      ];
    case "sandbox_kept":
      return [
        `${palette.cyan("kept")}  sandbox of ${palette.bold(cleanLine(event.trial))}`,
        `  enter   ${cleanLine(event.enter)}`,
        `  remove  ${cleanLine(event.remove)}`,
      ];
    case "trial_finished":
      return [
        describeResult(event.result, progress, palette),
        ...describeHint(event.result.error, progress, palette),
      ];
    default:
      return [];
  }
}

// Each hint is shown once: a hundred trials may need the same one.
function describeHint(error: ErrorRecord | null, progress: Progress, palette: Palette): string[] {
  const hint = error?.hint;
  if (!hint || progress.results.some((result) => result.error?.hint === hint)) return [];
  return [palette.cyan(`  hint: ${cleanLine(hint)}`)];
}

function describeRun(event: RunEvent & { type: "run_started" }, palette: Palette): string {
  const parts = [
    formatCount(event.trials.length, "trial"),
    `agent ${cleanLine(event.agent)}`,
    `sandbox ${event.sandbox}`,
    `${event.concurrency} at a time`,
  ];
  return `${palette.bold(`run ${cleanLine(event.run)}`)}  ${parts.join(", ")}`;
}

function describeImageEnd(
  event: RunEvent & { type: "image_finished" },
  progress: Progress,
  palette: Palette,
): string[] {
  const name = nameImage(event.image, palette);
  const time = formatDuration(event.duration_sec);
  if (event.ok) return [`${name}  ${event.cached ? "ready, cached" : `ready after ${time}`}`];
  const reason = event.error ? `: ${cleanLine(event.error.message)}` : "";
  const tail = progress.builds.get(event.image)?.tail ?? [];
  return [
    `${name}  ${palette.red(`failed after ${time}`)}${reason}`,
    ...tail.map((line) => palette.dim(`  | ${line}`)),
    ...describeHint(event.error, progress, palette),
  ];
}

function nameImage(image: string, palette: Palette): string {
  return `${palette.cyan("image")} ${cleanLine(image)}`;
}
