import type { Story, StoryPart, StoryStep } from "../../events/index.js";

/** `part 1 of 2: build`; null for an ordinary task, which has only one. */
export function namePart({ name, number, of }: StoryPart): string | null {
  return name === null ? null : `part ${number} of ${of}: ${name}`;
}

/** The steps of all parts, in order. */
export function stepsOf({ parts }: Story): StoryStep[] {
  return parts.flatMap(({ steps }) => steps);
}
