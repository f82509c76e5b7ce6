import type { Event, Outcome, TrialEvent, UsageTotals } from "../events/types.js";
import { UsageMeter } from "../runner/usage.js";
import { decideOutcome } from "../score/outcome.js";

type EventOf<K extends TrialEvent["type"]> = TrialEvent & { type: K };

/** What the log of a trial proves, however long it is. */
export interface Trace {
  started: EventOf<"trial_started"> | null;
  sandbox: EventOf<"sandbox_started"> | null;
  agent: EventOf<"agent_finished"> | null;
  verifier: EventOf<"verifier_finished"> | null;
  finished: EventOf<"trial_finished"> | null;
  /** Kinds of events that a log can only have once, but this one has again. */
  repeated: string[];
  /** Names of trials in the log. */
  trials: Set<string>;
  usage: UsageTotals | null;
  most: { step: number; invalid: number; answerSec: number; commandSec: number; output: number };
}

/** Goes through a log once and keeps only what is needed to score it. */
export async function readTrace(events: AsyncIterable<Event>): Promise<Trace> {
  const trace: Trace = {
    started: null,
    sandbox: null,
    agent: null,
    verifier: null,
    finished: null,
    repeated: [],
    trials: new Set(),
    usage: null,
    most: { step: 0, invalid: 0, answerSec: 0, commandSec: 0, output: 0 },
  };
  const usage = new UsageMeter();
  for await (const event of events) note(trace, event as TrialEvent, usage);
  trace.usage = usage.totals;
  return trace;
}

function note(trace: Trace, event: TrialEvent, usage: UsageMeter): void {
  const { most } = trace;
  trace.trials.add(event.trial);
  switch (event.type) {
    case "trial_started":
      keepOnce(trace, "started", event);
      break;
    case "sandbox_started":
      keepOnce(trace, "sandbox", event);
      break;
    case "agent_finished":
      keepOnce(trace, "agent", event);
      break;
    case "verifier_finished":
      keepOnce(trace, "verifier", event);
      break;
    case "trial_finished":
      keepOnce(trace, "finished", event);
      break;
    case "step_started":
      most.step = Math.max(most.step, event.step);
      break;
    case "response_invalid":
      most.invalid = Math.max(most.invalid, event.in_a_row);
      break;
    case "response":
      usage.add(event.data);
      most.answerSec = Math.max(most.answerSec, event.duration_sec);
      break;
    case "command_finished":
      most.commandSec = Math.max(most.commandSec, event.duration_sec);
      most.output = Math.max(most.output, event.output_bytes - event.cut_bytes);
  }
}

type Once = "started" | "sandbox" | "agent" | "verifier" | "finished";

function keepOnce<K extends Once>(trace: Trace, key: K, event: NonNullable<Trace[K]>): void {
  if (trace[key]) trace.repeated.push(event.type);
  else trace[key] = event as Trace[K];
}

/** The outcomes that a log allows: one, unless the machine failed where the log has to end early. */
export function listPossibleOutcomes(trace: Trace, gradeTimeouts: boolean): Outcome[] {
  if (!trace.agent) return trace.sandbox ? STOPPED : [...STOPPED, "skipped"];
  const { end } = trace.agent;
  if (trace.verifier) return [decideOutcome(end, trace.verifier.reward, gradeTimeouts)];
  // Without a verdict nobody completed, and no timeout was graded: something got in between.
  const open = end === "completed" || (end === "agent_timeout" && gradeTimeouts);
  return open ? STOPPED : [end];
}

const STOPPED: Outcome[] = ["infra_error", "cancelled"];
