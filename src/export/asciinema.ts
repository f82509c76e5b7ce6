import type { StoredRun, Story, StoryCommand, StoryPart, StoryStep } from "../events/index.js";
import { type DocumentTrial, namePart, outcomeOf } from "../report/index.js";
import { toTerminalOutput, toTerminalText } from "./terminal-text.js";

const SIZE = { width: 120, height: 36 };
/** Players shorten longer pauses, such as those while the agent thinks, to this. */
const IDLE_LIMIT_SEC = 2;

const GREEN = "\u001b[1;32m";
const DIM = "\u001b[2m";
const RED = "\u001b[31m";
const PLAIN = "\u001b[0m";

type CastEvent = [seconds: number, code: "o" | "m", data: string];
type Add = (time: string | null, code: "o" | "m", data: string) => void;

/** A trial as an asciicast v2: what the agent's terminal would have shown. */
export function toAsciicast(run: StoredRun, trial: DocumentTrial, story: Story): string {
  const began = Date.parse(story.started_at ?? run.record.started_at);
  const events = describeEvents(story, trial, began);
  const header = {
    version: 2,
    ...SIZE,
    timestamp: Math.floor(began / 1000),
    duration: events.at(-1)?.[0] ?? 0,
    idle_time_limit: IDLE_LIMIT_SEC,
    title: `${story.trial} (${run.record.agent.name})`,
    env: { SHELL: "/bin/sh", TERM: "xterm-256color" },
  };
  return [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join("");
}

function describeEvents(story: Story, { result }: DocumentTrial, began: number): CastEvent[] {
  const events: CastEvent[] = [];
  let latest = 0;
  const add: Add = (time, code, data) => {
    const seconds = (Date.parse(time ?? "") - began) / 1000;
    // Times in a cast never decrease, even if a clock was set back.
    if (seconds > latest) latest = Math.round(seconds * 1e6) / 1e6;
    events.push([latest, code, data]);
  };
  for (const part of story.parts) describePart(part, add);
  add(result?.finished_at ?? null, "o", heading(outcomeOf(result)));
  return events;
}

function describePart(part: StoryPart, add: Add): void {
  const name = namePart(part);
  if (name !== null) {
    add(part.started_at, "m", toTerminalText(name));
    add(part.started_at, "o", heading(name));
  }
  if (part.instruction !== null) add(part.started_at, "o", comment(part.instruction));
  for (const step of part.steps) describeStep(step, add);
  if (!part.verifier) return;
  const { finished_at, output, error } = part.verifier;
  add(finished_at, "m", "verifier");
  add(finished_at, "o", `${heading("verifier")}${endLine(toTerminalOutput(output))}`);
  if (error !== null) add(finished_at, "o", `${RED}${toTerminalText(error)}${PLAIN}\r\n`);
}

function describeStep(step: StoryStep, add: Add): void {
  add(step.started_at, "m", `step ${step.step}`);
  const answered = step.answered_at ?? step.started_at;
  for (const { problem } of step.invalid)
    add(answered, "o", comment(`invalid response: ${problem}`));
  if (step.text) add(answered, "o", comment(step.text));
  if (step.command === null) return;
  const prompt = `${GREEN}${toTerminalText(step.cwd)} $${PLAIN} `;
  add(answered, "o", `${prompt}${toTerminalText(step.command)}\r\n`);
  if (step.refused !== null) add(answered, "o", problemLine(`refused: ${step.refused}`));
  if (step.ran) add(step.ran.finished_at, "o", describeOutput(step.ran));
}

function describeOutput(ran: StoryCommand): string {
  const output = endLine(toTerminalOutput(ran.output));
  if (ran.exit_code === 0) return `${output}${PLAIN}`;
  const end = ran.timed_out ? "timed out" : `exit ${ran.exit_code ?? "unknown"}`;
  return `${output}${PLAIN}${problemLine(end)}`;
}

function heading(text: string): string {
  return `${DIM}--- ${toTerminalText(text)}${PLAIN}\r\n`;
}

function problemLine(text: string): string {
  return `${RED}[${toTerminalText(text)}]${PLAIN}\r\n`;
}

function comment(text: string): string {
  const lines = toTerminalText(text.trimEnd()).split("\r\n");
  return `${DIM}${lines.map((line) => `# ${line}`).join("\r\n")}${PLAIN}\r\n`;
}

function endLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\r\n`;
}
