import type { Story, StoryCommand, StoryStep } from "../events/story.js";
import { cutMiddle, plainText } from "./document.js";
import { formatDuration } from "./format.js";

/** Of one command's output, when there is room for it. */
const MAX_OUTPUT = 4000;

/** A trial as text: what the agent said and did, then what the verifier made of it. */
export function writeTranscript(story: Story, maxLength: number): string {
  const parts = [...story.notes.map(note), ...story.stderr.map(stderr)];
  for (const step of story.steps) parts.push(...writeStep(step));
  if (story.verifier) {
    const { output, error, exit_code, duration_sec } = story.verifier;
    parts.push(`verifier (exit ${exit_code ?? "unknown"}, ${formatDuration(duration_sec)})`);
    if (output.trim() !== "") parts.push(cutMiddle(plainText(output).trimEnd(), MAX_OUTPUT));
    if (error !== null) parts.push(plainText(error));
  }
  return cutMiddle(parts.join("\n"), maxLength);
}

function writeStep(step: StoryStep): string[] {
  const lines = [`--- step ${step.step} (${formatDuration(step.thinking_sec)})`];
  for (const { problem } of step.invalid) lines.push(`invalid answer: ${plainText(problem)}`);
  lines.push(...step.notes.map(note), ...step.noise.map(noise), ...step.stderr.map(stderr));
  if (step.text) lines.push(plainText(step.text).trimEnd());
  if (step.command !== null) lines.push(`$ ${plainText(step.command)}`);
  if (step.ran) lines.push(...writeCommand(step.ran));
  if (step.task_complete) lines.push("the agent says that the task is complete");
  return lines;
}

function writeCommand(ran: StoryCommand): string[] {
  const lines: string[] = [];
  if (ran.output !== "") lines.push(cutMiddle(plainText(ran.output).trimEnd(), MAX_OUTPUT));
  lines.push(`[${describeExit(ran)}, ${formatDuration(ran.duration_sec)}]`);
  return lines;
}

function describeExit({ exit_code, timed_out }: StoryCommand): string {
  if (timed_out) return "timed out";
  return exit_code === null ? "never finished" : `exit ${exit_code}`;
}

function note(text: string): string {
  return `note: ${plainText(text)}`;
}

function noise(text: string): string {
  return `stdout | ${plainText(text)}`;
}

function stderr(text: string): string {
  return `stderr | ${plainText(text)}`;
}
