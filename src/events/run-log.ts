import { closeSync, mkdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { LiveReader } from "./live-reader.js";
import { findLastPosition, openForAppending } from "./log-tail.js";
import type { Redactor } from "./redact.js";
import { trialFolder } from "./run-folder.js";
import { readStoredEvents } from "./stored-events.js";
import type { Event, EventBody, RunEvent, TrialEvent } from "./types.js";

/** These are also written to the run's own log, which says where to find the others. */
const IN_BOTH = new Set<Event["type"]>(["trial_started", "trial_finished", "trial_retried"]);

/**
 * The one stream of a run: every event gets its position, is redacted, written, and only then
 * shown to readers. A line is in the file when the call returns, so a reader finds whatever it
 * missed in the files.
 */
export class RunLog {
  readonly #dir: string;
  readonly #redactor: Redactor;
  readonly #onFailure: (error: Error) => void;
  readonly #run: number;
  readonly #trials = new Map<string, number>();
  readonly #readers = new Set<LiveReader>();
  #position: number;
  #isClosed = false;
  #problem: Error | null = null;

  constructor(dir: string, options: { redactor: Redactor; onFailure?: (error: Error) => void }) {
    mkdirSync(join(dir, "trials"), { recursive: true });
    this.#dir = dir;
    this.#redactor = options.redactor;
    this.#onFailure = options.onFailure ?? (() => {});
    this.#position = findLastPosition(dir);
    this.#run = openForAppending(join(dir, "events.jsonl"));
  }

  /** Of the last event. */
  get position(): number {
    return this.#position;
  }

  /** Why the log could not be written, if it couldn't. */
  get problem(): Error | null {
    return this.#problem;
  }

  /** Writes an event of the run; returns it as it is in the log. */
  addRun<T extends RunEvent["type"]>(
    body: EventBody<RunEvent & { type: T }>,
  ): RunEvent & { type: T } {
    return this.#append([this.#run], body) as RunEvent & { type: T };
  }

  /** Writes an event of a trial, whose log must be open. */
  addTrial<T extends TrialEvent["type"]>(
    trial: string,
    body: EventBody<TrialEvent & { type: T }>,
  ): TrialEvent & { type: T } {
    const own = this.#trials.get(trial);
    const files = own === undefined || IN_BOTH.has(body.type) ? [this.#run] : [];
    if (own !== undefined) files.push(own);
    return this.#append(files, body, trial) as TrialEvent & { type: T };
  }

  /** Opens the log of a trial in its folder, which must exist. */
  openTrial(trial: string): void {
    this.closeTrial(trial);
    this.#trials.set(trial, openForAppending(join(trialFolder(this.#dir, trial), "events.jsonl")));
  }

  closeTrial(trial: string): void {
    const file = this.#trials.get(trial);
    if (file !== undefined) closeSync(file);
    this.#trials.delete(trial);
  }

  /**
   * Every event after a position, each exactly once: from the files, then as they happen, until
   * the log is closed. A slow reader holds up nothing, and its buffer is bounded.
   */
  async *events(after = 0, signal?: AbortSignal): AsyncGenerator<Event> {
    for (let last = after; !signal?.aborted; ) {
      const upTo = this.#position;
      if (last < upTo) {
        for await (const event of readStoredEvents(this.#dir, last, upTo)) {
          if (signal?.aborted) return;
          last = event.position;
          yield event;
        }
        last = upTo;
        continue;
      }
      if (this.#isClosed) return;
      const reader = new LiveReader();
      const wake = () => reader.wake();
      this.#readers.add(reader);
      signal?.addEventListener("abort", wake);
      try {
        while (!reader.isBehind && !signal?.aborted) {
          const event = reader.take();
          if (event) {
            last = event.position;
            yield event;
          } else if (this.#isClosed) return;
          else await reader.wait();
        }
      } finally {
        this.#readers.delete(reader);
        signal?.removeEventListener("abort", wake);
      }
    }
  }

  close(): void {
    if (this.#isClosed) return;
    for (const trial of [...this.#trials.keys()]) this.closeTrial(trial);
    closeSync(this.#run);
    this.#isClosed = true;
    for (const reader of this.#readers) reader.wake();
  }

  #append(files: number[], body: EventBody<Event>, trial?: string): Event {
    const position = this.#position + 1;
    const stamp = { position, time: new Date().toISOString(), ...(trial ? { trial } : {}) };
    const event = this.#redactor.value({ ...stamp, ...body }) as Event;
    if (this.#problem || this.#isClosed) return event;
    const line = Buffer.from(`${JSON.stringify(event)}\n`);
    try {
      for (const file of files) writeWhole(file, line);
    } catch (error) {
      this.#fail(error as Error);
      return event;
    }
    this.#position = position;
    for (const reader of this.#readers) reader.push(event, line.length);
    return event;
  }

  /** Nothing more is shown to readers: what they saw must be in the log. */
  #fail(error: Error): void {
    this.#problem = error;
    this.#onFailure(error);
  }
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
