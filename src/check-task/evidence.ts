import type { ErrorRecord, Event, TrialResult } from "../events/index.js";
import type { CheckProgress } from "./types.js";

/** What a trial showed. */
export interface Seen {
  result: TrialResult;
  /** What the agent's commands printed. */
  printed: string;
  /** What the verifier printed last. */
  verifierOutput: string;
}

/** What the trials of one task showed, by agent. */
export interface Evidence {
  oracle: Seen[];
  nop: Seen[];
  probe: Seen[];
}

export interface ImageFailure {
  image: string;
  error: ErrorRecord | null;
}

/** Follows the run: collects what each task's trials showed, and which images are missing. */
export async function gatherEvidence(
  events: AsyncIterable<Event>,
  onProgress: (progress: CheckProgress) => void,
): Promise<{ evidence: Map<string, Evidence>; failures: Map<string, ImageFailure> }> {
  const evidence = new Map<string, Evidence>();
  const failures = new Map<string, ImageFailure>();
  const tasksByImage = new Map<string, string[]>();
  const printing = new Map<string, { printed: string[]; verifierOutput: string }>();
  const now = new Set<string>();
  let done = 0;
  let of = 0;
  for await (const event of events) {
    switch (event.type) {
      case "run_started":
        of = event.trials.length;
        break;
      case "image_started":
        tasksByImage.set(event.image, event.tasks);
        now.add(event.image);
        break;
      case "image_finished":
        now.delete(event.image);
        for (const task of event.ok ? [] : (tasksByImage.get(event.image) ?? []))
          if (!failures.has(task)) failures.set(task, event);
        break;
      case "trial_started":
        now.add(event.trial);
        printing.set(event.trial, { printed: [], verifierOutput: "" });
        break;
      case "command_finished":
        printing.get(event.trial)?.printed.push(event.output);
        continue;
      case "verifier_finished": {
        const own = printing.get(event.trial);
        if (own) own.verifierOutput = event.output;
        continue;
      }
      case "trial_finished": {
        const { printed = [], verifierOutput = "" } = printing.get(event.trial) ?? {};
        printing.delete(event.trial);
        addSeen(evidence, { result: event.result, printed: printed.join("\n"), verifierOutput });
        now.delete(event.trial);
        done += 1;
        break;
      }
      default:
        continue;
    }
    onProgress({ done, of, now: [...now] });
  }
  return { evidence, failures };
}

function addSeen(evidence: Map<string, Evidence>, seen: Seen): void {
  const { task, agent } = seen.result;
  const own = evidence.get(task) ?? { oracle: [], nop: [], probe: [] };
  own[agent as keyof Evidence].push(seen);
  evidence.set(task, own);
}
