import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { LiveReader } from "../../src/events/live-reader.js";
import { Redactor } from "../../src/events/redact.js";
import { RunLog } from "../../src/events/run-log.js";
import { readStoredEvents } from "../../src/events/stored-events.js";
import type { Event } from "../../src/events/types.js";

function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "run-log-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function openLog(dir: string, secrets: string[] = []): RunLog {
  return new RunLog(dir, { redactor: new Redactor(secrets) });
}

function begin(dir: string, log: RunLog, trial: string, number = 1): void {
  mkdirSync(join(dir, "trials", trial), { recursive: true });
  log.openTrial(trial);
  log.addTrial(trial, {
    type: "trial_started",
    format_version: 1,
    task: trial,
    attempt: 1,
    try: number,
    agent: "a",
    instruction: "Do it.",
  });
}

const note = (log: RunLog, trial: string, text: string) =>
  log.addTrial(trial, { type: "note", text });

function retry(dir: string, log: RunLog, trial: string, number: number): void {
  log.addTrial(trial, { type: "trial_retried", reason: "the engine was gone" });
  log.closeTrial(trial);
  renameSync(join(dir, "trials", trial), join(dir, "trials", `${trial}.try${number}`));
}

function finish(log: RunLog, trial: string): void {
  log.addTrial(trial, { type: "trial_finished", result: { trial } as never });
  log.closeTrial(trial);
}

async function collect(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const positionsOf = (events: Event[]) => events.map(({ position }) => position);
/** Short, because a difference between ten thousand events is long. */
const digest = (events: Event[]) =>
  createHash("sha256").update(JSON.stringify(events)).digest("hex");
const upTo = (last: number, from = 0) =>
  Array.from({ length: last - from }, (_, index) => from + index + 1);

/** A reader that disconnects and comes back after so many events each time. */
async function readInPieces(log: RunLog, visits: number[], pause: () => Promise<void>) {
  const seen: Event[] = [];
  let last = 0;
  for (const most of [...visits, Number.POSITIVE_INFINITY]) {
    let count = 0;
    for await (const event of log.events(last)) {
      seen.push(event);
      last = event.position;
      await pause();
      count += 1;
      if (count >= most) break;
    }
  }
  return seen;
}

/** Plays trials side by side, with retries, until there are so many events. */
async function play(dir: string, log: RunLog, random: () => number, count: number): Promise<void> {
  const running = new Map<string, number>();
  while (log.position < count) {
    const names = [...running.keys()];
    const trial = names[Math.floor(random() * names.length)];
    const what = random();
    if (trial === undefined || (what < 0.02 && running.size < 8)) {
      const name = `t${log.position}.1`;
      begin(dir, log, name);
      running.set(name, 1);
    } else if (what < 0.03) {
      const number = running.get(trial) ?? 1;
      retry(dir, log, trial, number);
      begin(dir, log, trial, number + 1);
      running.set(trial, number + 1);
    } else if (what < 0.05) {
      finish(log, trial);
      running.delete(trial);
    } else if (what < 0.08) log.addRun({ type: "warning", text: "w".repeat(100) });
    else note(log, trial, "x".repeat(Math.floor(random() * 3000)));
    if (random() < 0.02) await setImmediate();
  }
  for (const trial of running.keys()) finish(log, trial);
}

describe("readers of a run's stream", () => {
  it("see each of 10,000 events once and in order, whenever they join and however often they come back", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          seed: fc.integer(),
          joinAt: fc.integer({ min: 0, max: 10_000 }),
          visits: fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 3, maxLength: 3 }),
          slowness: fc.double({ min: 0, max: 0.5, noNaN: true }),
        }),
        async ({ seed, joinAt, visits, slowness }) => {
          const dir = mkdtempSync(join(tmpdir(), "run-log-"));
          try {
            const random = mulberry32(seed);
            const log = openLog(dir);
            const pause = async () => {
              if (random() < slowness) await setImmediate();
            };
            const watching = collect(log.events());
            const pieces = readInPieces(log, visits, pause);
            await play(dir, log, random, joinAt);
            const late = collect(log.events());
            await play(dir, log, random, 10_000);
            log.close();
            const all = await watching;
            expect(positionsOf(all)).toEqual(upTo(log.position));
            const whole = digest(all);
            expect(digest(await pieces)).toBe(whole);
            expect(digest(await late)).toBe(whole);
            expect(digest(await collect(readStoredEvents(dir)))).toBe(whole);
          } finally {
            rmSync(dir, { recursive: true, force: true });
          }
        },
      ),
      { numRuns: 6 },
    );
  });

  it("start after any given position", async () => {
    const dir = makeFolder();
    const log = openLog(dir);
    await play(dir, log, mulberry32(7), 600);
    log.close();
    for (const after of [0, 1, 17, 300, 599, log.position, log.position + 5])
      expect(positionsOf(await collect(log.events(after)))).toEqual(
        upTo(Math.max(log.position, after), after),
      );
  });

  it("block nothing when they stop reading, and still miss nothing", async () => {
    const dir = makeFolder();
    const log = openLog(dir);
    const stalled = log.events();
    begin(dir, log, "big.1");
    const first = await stalled.next();
    // Far more than is buffered for a reader.
    for (let index = 0; index < 300; index++) note(log, "big.1", "y".repeat(100_000));
    finish(log, "big.1");
    log.close();
    const rest = await collect(stalled);
    expect(positionsOf([first.value as Event, ...rest])).toEqual(upTo(302));
  });

  it("have a bounded number of events and bytes waiting for them", () => {
    const event = { position: 1, type: "warning", text: "w" } as Event;
    for (const [bytes, most] of [
      [10, 1000],
      [1024 * 1024, 4],
    ] as const) {
      const reader = new LiveReader();
      for (let index = 0; index < most; index++) reader.push(event, bytes);
      expect(reader.isBehind).toBe(false);
      reader.push(event, bytes);
      expect(reader.isBehind).toBe(true);
      expect(reader.take()).toBeNull();
    }
  });

  it("are released when they stop early", async () => {
    const log = openLog(makeFolder());
    const gone = new AbortController();
    const reading = collect(log.events(0, gone.signal));
    await setImmediate();
    gone.abort();
    expect(await reading).toEqual([]);
    log.close();
  });
});

describe("a log that is opened again", () => {
  it("continues after the highest position in any of its files", async () => {
    const dir = makeFolder();
    const killed = openLog(dir);
    begin(dir, killed, "a.1");
    for (let index = 0; index < 50; index++) note(killed, "a.1", `note ${index}`);
    // No end: the process was killed here. Another one opens the folder.
    const log = openLog(dir);
    renameSync(join(dir, "trials", "a.1"), join(dir, "trials", "a.1.try1"));
    expect(log.position).toBe(51);
    begin(dir, log, "a.1");
    finish(log, "a.1");
    log.close();
    killed.close();
    expect(positionsOf(await collect(log.events()))).toEqual(upTo(53));
  });

  it("drops a truncated line, and no other", async () => {
    const dir = makeFolder();
    const first = openLog(dir);
    first.addRun({ type: "warning", text: "whole" });
    first.close();
    const file = join(dir, "events.jsonl");
    writeFileSync(file, `${readFileSync(file, "utf8")}{"position":2,"time":"2030`);
    const log = openLog(dir);
    log.addRun({ type: "warning", text: "after" });
    log.close();
    const events = await collect(log.events());
    expect(events).toMatchObject([
      { position: 1, text: "whole" },
      { position: 2, text: "after" },
    ]);
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(3);
  });
});

describe("what is written", () => {
  it("is redacted in every string, field names too, and readers get the same", async () => {
    const dir = makeFolder();
    const log = openLog(dir, ["s3cr3t-value", 'with "quotes"']);
    begin(dir, log, "a.1");
    const live = collect(log.events(log.position));
    const added = log.addTrial("a.1", {
      type: "response",
      step: 1,
      command: 'echo s3cr3t-value and {"key":"with \\"quotes\\""}',
      task_complete: false,
      text: "ok",
      data: { "s3cr3t-value": ['with "quotes"', { deep: "s3cr3t-value!" }] },
      extra: {},
      duration_sec: 0,
    });
    log.close();
    const file = readFileSync(join(dir, "trials", "a.1", "events.jsonl"), "utf8");
    expect(file).not.toMatch(/s3cr3t|quotes/);
    expect(added).toMatchObject({
      command: 'echo [redacted] and {"key":"[redacted]"}',
      data: { "[redacted]": ["[redacted]", { deep: "[redacted]!" }] },
    });
    expect(await live).toEqual([added]);
  });

  it("reaches no reader when it can't be written to the file", async () => {
    const dir = makeFolder();
    let failure: Error | null = null;
    const log = new RunLog(dir, {
      redactor: new Redactor(),
      onFailure: (error) => {
        failure = error;
      },
    });
    const live = collect(log.events());
    // A device on which every write fails, as on a full disk.
    mkdirSync(join(dir, "trials", "a.1"));
    symlinkSync("/dev/full", join(dir, "trials", "a.1", "events.jsonl"));
    log.openTrial("a.1");
    note(log, "a.1", "lost");
    log.addRun({ type: "warning", text: "after" });
    log.close();
    expect(failure).toMatchObject({ code: "ENOSPC" });
    expect(log.position).toBe(0);
    expect(await live).toEqual([]);
  });
});

function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
