import type { Event, TrialEvent } from "../events/index.js";
import { formatDuration } from "./format.js";
import type { Palette } from "./palette.js";
import type { Progress } from "./progress.js";
import { cleanLastLine, cleanLine, cleanLines, showControls } from "./text.js";

/** What `--verbose` adds. `progress` is as it was before the event. */
export function describeDetails(event: Event, progress: Progress, palette: Palette): string[] {
  if (event.type === "image_progress") {
    const line = cleanLastLine(event.line);
    return line === null ? [] : [palette.dim(`  ${cleanLine(event.image)} | ${line}`)];
  }
  if (!("trial" in event)) return [];
  const command = progress.running.get(event.trial)?.command ?? null;
  const step = "step" in event ? ` #${event.step}` : "";
  const prefix = palette.dim(`  ${cleanLine(event.trial)}${step}`);
  return describeStep(event, command, palette).map((line) => `${prefix}  ${line}`);
}

function describeStep(event: TrialEvent, command: string | null, palette: Palette): string[] {
  switch (event.type) {
    case "agent_stderr":
      return cleanLines(event.text).map((line) => `${palette.dim("stderr |")} ${line}`);
    case "agent_noise":
      return cleanLines(event.text).map((line) => `${palette.dim("stdout |")} ${line}`);
    case "response":
      return cleanLines(event.text ?? "").map((line) => `${palette.dim(">")} ${line}`);
    case "response_invalid":
      return [`${palette.yellow("invalid response:")} ${cleanLine(event.problem)}`];
    case "command_finished":
      return [`${palette.cyan("$")} ${command ?? ""}  ${describeExit(event, palette)}`];
    case "command_refused":
      return [
        `${palette.cyan("$")} ${showControls(event.command)}  ${palette.yellow(`(refused: ${cleanLine(event.reason)})`)}`,
      ];
    case "part_started":
      return [`${palette.dim(`part ${event.number} of ${event.of}:`)} ${cleanLine(event.part)}`];
    case "note":
      return [`${palette.dim("note:")} ${cleanLine(event.text)}`];
    default:
      return [];
  }
}

function describeExit(event: TrialEvent & { type: "command_finished" }, palette: Palette): string {
  const parts = [
    event.timed_out ? "timed out" : `exit ${event.exit_code}`,
    formatDuration(event.duration_sec),
  ];
  if (event.shell_restarted) parts.push("new shell");
  const text = `(${parts.join(", ")})`;
  return event.exit_code === 0 ? palette.dim(text) : palette.yellow(text);
}
