import type { Event, TrialEvent, UsageTotals } from "../events/index.js";
import { UsageMeter } from "../runner/index.js";

type EventOf<K extends TrialEvent["type"]> = TrialEvent & { type: K };

/** What the log of a trial proves; its size does not grow with the log. */
export interface Trace {
  started: EventOf<"trial_started"> | null;
  sandbox: EventOf<"sandbox_started"> | null;
  /** How many parts were started; 0 for a task without parts. */
  parts: number;
  /** How the trial's reward is computed from its parts'. */
  strategy: "mean" | "final";
  /** One, or one for each part. */
  agents: EventOf<"agent_finished">[];
  verifiers: EventOf<"verifier_finished">[];
  finished: EventOf<"trial_finished"> | null;
  /** Types of events that a log can have only once, but this one has more often. */
  repeated: string[];
  /** Names of trials in the log. */
  trials: Set<string>;
  usage: UsageTotals | null;
  most: { step: number; invalid: number; responseSec: number; commandSec: number; output: number };
}

/** Goes through a log once and keeps only what is needed to score it. */
export async function readTrace(events: AsyncIterable<Event>): Promise<Trace> {
  const trace: Trace = {
    started: null,
    sandbox: null,
    parts: 0,
    strategy: "final",
    agents: [],
    verifiers: [],
    finished: null,
    repeated: [],
    trials: new Set(),
    usage: null,
    most: { step: 0, invalid: 0, responseSec: 0, commandSec: 0, output: 0 },
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
    case "part_started":
      trace.parts += 1;
      trace.strategy = event.strategy;
      break;
    case "agent_finished":
      if (trace.agents.push(event) > Math.max(1, trace.parts)) trace.repeated.push(event.type);
      break;
    case "verifier_finished":
      if (trace.verifiers.push(event) > trace.agents.length) trace.repeated.push(event.type);
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
      most.responseSec = Math.max(most.responseSec, event.duration_sec);
      break;
    case "command_finished":
      most.commandSec = Math.max(most.commandSec, event.duration_sec);
      most.output = Math.max(most.output, event.output_bytes - event.cut_bytes);
  }
}

type Once = "started" | "sandbox" | "finished";

function keepOnce<K extends Once>(trace: Trace, key: K, event: NonNullable<Trace[K]>): void {
  if (trace[key]) trace.repeated.push(event.type);
  else trace[key] = event as Trace[K];
}
