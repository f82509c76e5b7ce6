import type { Story, StoryPart } from "./story.js";
import { addStepEvent, createStep } from "./story-steps.js";
import type { TrialEvent } from "./types.js";

/** How many lines of an agent's stderr a story keeps; the rest is only counted. */
const MAX_STDERR_LINES = 2000;

/** Adds what an event says to the story so far. */
export function addEvent(story: Story, event: TrialEvent): void {
  const part = story.parts.at(-1) as StoryPart;
  switch (event.type) {
    case "trial_started":
      story.started_at = event.time;
      part.started_at = event.time;
      // Logs of earlier versions don't have it.
      part.instruction = event.instruction || null;
      break;
    case "sandbox_started": {
      const { kind, id, image, duration_sec } = event;
      story.sandbox = { kind, id, image, duration_sec };
      break;
    }
    case "part_started":
      startPart(story, event);
      break;
    case "agent_stderr":
      addStderr(story, event.text);
      break;
    default:
      addPartEvent(part, event);
  }
}

export function createPart(): StoryPart {
  return {
    name: null,
    number: 1,
    of: 1,
    started_at: null,
    instruction: null,
    agent_command: null,
    stderr: [],
    notes: [],
    steps: [],
    end: null,
    verifier: null,
  };
}

function startPart(story: Story, event: TrialEvent & { type: "part_started" }): void {
  const { part: name, number, of, time: started_at } = event;
  const named = { name, number, of, started_at, instruction: event.instruction || null };
  const last = story.parts.at(-1);
  // The story starts with one unnamed part, which becomes the first one of a task with parts.
  if (last?.name === null) Object.assign(last, named);
  else story.parts.push({ ...createPart(), ...named });
}

function addPartEvent(part: StoryPart, event: TrialEvent): void {
  const step = part.steps.at(-1);
  switch (event.type) {
    case "agent_started":
      part.agent_command = event.command;
      break;
    case "step_started":
      // After an invalid response the same step starts again.
      if (step?.step !== event.step) part.steps.push(createStep(event));
      break;
    case "note":
      (step ?? part).notes.push(event.text);
      break;
    case "agent_finished": {
      const { end, exit_code, signal, duration_sec } = event;
      part.end = { end, exit_code, signal, duration_sec };
      break;
    }
    case "verifier_finished": {
      const { time: finished_at, output, exit_code, reward, error, duration_sec } = event;
      part.verifier = { finished_at, output, exit_code, reward, error, duration_sec };
      break;
    }
    default:
      if (step) addStepEvent(step, event);
  }
}

function addStderr(story: Story, text: string): void {
  const part = story.parts.at(-1) as StoryPart;
  if (story.stderr_left_out > 0 || countStderr(story) >= MAX_STDERR_LINES)
    story.stderr_left_out += 1;
  else (part.steps.at(-1) ?? part).stderr.push(text);
}

function countStderr({ parts }: Story): number {
  const owners = parts.flatMap((part) => [part, ...part.steps]);
  return owners.reduce((sum, { stderr }) => sum + stderr.length, 0);
}
