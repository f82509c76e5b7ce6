import {
  type Event,
  type Outcome,
  type TrialEvent,
  type TrialResult,
  traitsOf,
} from "../events/index.js";
import { cleanLastLine, cleanLine, showControls } from "./text.js";
import { measureWidth } from "./width.js";

const TAIL_LINES = 10;

export interface RunningTrial {
  since: number;
  step: number;
  state: "starting" | "thinking" | "running" | "verifying" | "ending";
  /** The latest command, safe to print. */
  command: string | null;
  /** The last line of the verifier's output, safe to print. */
  verdict: string | null;
}

export interface ImageBuild {
  since: number;
  /** The latest lines of the build, safe to print. */
  tail: string[];
}

/** What a console shows, collected from the events so far. */
export interface Progress {
  startedAt: number | null;
  out: string | null;
  planned: number;
  /** Columns of the longest planned trial's name. */
  nameWidth: number;
  counts: { passed: number; failed: number; other: number };
  running: Map<string, RunningTrial>;
  builds: Map<string, ImageBuild>;
  results: TrialResult[];
  /** How many kept results of a resumed run came since the last other event. */
  keptInARow: number;
}

export function createProgress(): Progress {
  return {
    startedAt: null,
    out: null,
    planned: 0,
    nameWidth: 0,
    counts: { passed: 0, failed: 0, other: 0 },
    running: new Map(),
    builds: new Map(),
    results: [],
    keptInARow: 0,
  };
}

export function trackEvent(progress: Progress, event: Event, now: number): void {
  progress.keptInARow = event.type === "trial_kept" ? progress.keptInARow + 1 : 0;
  switch (event.type) {
    case "run_started":
      progress.startedAt = now;
      progress.out = event.out;
      progress.planned = event.trials.length;
      progress.nameWidth = measureLongest(event.trials);
      break;
    case "image_started":
      progress.builds.set(event.image, { since: now, tail: [] });
      break;
    case "image_progress":
      trackBuildLine(progress, event.image, event.line);
      break;
    case "image_finished":
      progress.builds.delete(event.image);
      break;
    case "trial_started":
      progress.running.set(event.trial, startTrial(now));
      break;
    case "trial_finished":
    case "trial_kept":
      progress.running.delete(event.trial);
      progress.results.push(event.result);
      progress.counts[groupOutcome(event.result.outcome)] += 1;
      break;
    case "warning":
    case "run_finished":
      break;
    default: {
      const trial = progress.running.get(event.trial);
      if (trial) trackStep(trial, event);
    }
  }
}

/** `other` are the outcomes that say nothing about the agent. */
function groupOutcome(outcome: Outcome): "passed" | "failed" | "other" {
  const { tone } = traitsOf(outcome);
  return tone === "good" ? "passed" : tone === "bad" ? "failed" : "other";
}

function measureLongest(names: string[]): number {
  return names.reduce((width, name) => Math.max(width, measureWidth(cleanLine(name))), 0);
}

function startTrial(since: number): RunningTrial {
  return { since, step: 0, state: "starting", command: null, verdict: null };
}

function trackBuildLine(progress: Progress, image: string, text: string): void {
  const line = cleanLastLine(text);
  const build = progress.builds.get(image);
  if (!build || line === null) return;
  build.tail.push(line);
  if (build.tail.length > TAIL_LINES) build.tail.shift();
}

function trackStep(trial: RunningTrial, event: TrialEvent): void {
  switch (event.type) {
    case "step_started":
      trial.step = event.step;
      trial.state = "thinking";
      break;
    case "command_started":
      trial.command = showControls(event.command);
      trial.state = "running";
      break;
    case "command_finished":
    case "command_refused":
      trial.state = "thinking";
      break;
    case "agent_finished":
      trial.state = "ending";
      break;
    case "verifier_started":
      trial.state = "verifying";
      break;
    case "verifier_finished":
      trial.verdict = event.error === null ? cleanLastLine(event.output) : cleanLine(event.error);
      trial.state = "ending";
      break;
    case "trial_retried":
      Object.assign(trial, startTrial(trial.since));
      break;
  }
}
