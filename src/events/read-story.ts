import { join } from "node:path";
import { readEvents, trialFolder } from "./run-folder.js";
import type { Story } from "./story.js";
import { addEvent, createPart } from "./story-events.js";

/** Reads a trial back from its log; without a log the story is empty. */
export async function readStory(runDir: string, trial: string): Promise<Story> {
  const story: Story = {
    trial,
    started_at: null,
    sandbox: null,
    parts: [createPart()],
    stderr_left_out: 0,
  };
  try {
    for await (const event of readEvents(join(trialFolder(runDir, trial), "events.jsonl")))
      if ("trial" in event) addEvent(story, event);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return story;
}
