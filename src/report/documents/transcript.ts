import type { Story, StoryCommand, StoryPart, StoryStep } from "../../events/index.js";
import { formatDuration } from "../format.js";
import { namePart } from "./parts.js";
import { cutMiddle, plainText } from "./text.js";

/** Characters of one command's output. */
const MAX_OUTPUT = 4000;

/** A trial as text: for each part what was asked, what the agent said and did, and the verdict. */
export function writeTranscript(story: Story, maxLength: number): string {
  return cutMiddle(story.parts.flatMap(writePart).join("\n"), maxLength);
}

function writePart(part: StoryPart): string[] {
  const name = namePart(part);
  return [
    ...(name === null ? [] : [`=== ${plainText(name)}`]),
    ...(part.instruction === null ? [] : writeInstruction(part.instruction)),
    ...part.notes.map(note),
    ...part.stderr.map(stderr),
    ...part.steps.flatMap(writeStep),
    ...writeVerifier(part),
  ];
}

function writeInstruction(instruction: string): string[] {
  const lines = cutMiddle(plainText(instruction).trimEnd(), MAX_OUTPUT).split("\n");
  return ["instruction:", ...lines.map((line) => `  ${line}`.trimEnd())];
}

function writeVerifier({ verifier }: StoryPart): string[] {
  if (!verifier) return [];
  const { output, error, exit_code, duration_sec } = verifier;
  const lines = [`verifier (exit ${exit_code ?? "unknown"}, ${formatDuration(duration_sec)})`];
  if (output.trim() !== "") lines.push(cutMiddle(plainText(output).trimEnd(), MAX_OUTPUT));
  if (error !== null) lines.push(plainText(error));
  return lines;
}

function writeStep(step: StoryStep): string[] {
  const lines = [`--- step ${step.step} (${formatDuration(step.thinking_sec)})`];
  for (const { problem } of step.invalid) lines.push(`invalid response: ${plainText(problem)}`);
  lines.push(...step.notes.map(note), ...step.noise.map(noise), ...step.stderr.map(stderr));
  if (step.text) lines.push(plainText(step.text).trimEnd());
  if (step.command !== null) lines.push(`$ ${plainText(step.command)}`);
  if (step.refused !== null) lines.push(`[refused: ${plainText(step.refused)}]`);
  if (step.ran) lines.push(...writeCommand(step.ran));
  if (step.task_complete) lines.push("the agent reports that the task is complete");
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
