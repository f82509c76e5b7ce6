import { EventEmitter, once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { describe, onTestFinished } from "vitest";
import type { RunSummary, TrialResult } from "../../src/events/records.js";
import type { Event } from "../../src/events/types.js";
import { removeTraces } from "./traces.js";

export const hasDocker = process.env.TERM_RUN_TEST_DOCKER !== "skip";
export const hasBubblewrap = process.env.TERM_RUN_TEST_BWRAP !== "skip";
/** For tests that don't depend on the sandbox: the one that starts fastest. */
export const QUICK = hasBubblewrap ? "bubblewrap" : hasDocker ? "docker" : "";

/** A suite for each kind of sandbox; those that aren't available are reported as skipped. */
export function eachSandbox(name: string, define: (sandbox: string) => void): void {
  describe.skipIf(!hasDocker)(`${name} in docker`, () => define("docker"));
  describe.skipIf(!hasBubblewrap)(`${name} in bubblewrap`, () => define("bubblewrap"));
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MAIN = join(ROOT, "dist/cli/main.js");

export const TASKS = join(ROOT, "tasks");
export const HELLO = join(TASKS, "hello-world");
export const exampleAgent = (file: string) => join(ROOT, "agents-examples", file);
export const agentFile = (name: string) => join(ROOT, "tests/e2e/agents", name);

/** The command line of an agent that asks for these commands, one per step, and completes. */
export function commandsAgent(...commands: string[]): string {
  const words = commands.map((command) => `'${command.replaceAll("'", `'\\''`)}'`);
  return ["node", agentFile("commands.mjs"), ...words].join(" ");
}

/** A place for one run. Its name is unique and part of everything that the run starts, so that it can be found. */
export interface Place {
  mark: string;
  dir: string;
  out: string;
  env: Record<string, string>;
}

export function makePlace(): Place {
  const dir = mkdtempSync(join(tmpdir(), "e2e-"));
  // Sandboxes whose user isn't the caller have their scratch folders in it.
  chmodSync(dir, 0o755);
  const mark = basename(dir);
  const scratch = join(dir, "tmp");
  mkdirSync(scratch);
  onTestFinished(async () => {
    await removeTraces({ mark, dir });
    rmSync(dir, { recursive: true, force: true });
  });
  const PATH = `${process.env.PATH}:${join(dir, "bin")}`;
  return { mark, dir, out: join(dir, mark), env: { PATH, TMPDIR: scratch, GITHUB_ACTIONS: "" } };
}

interface RunFiles {
  place: Place;
  text(path: string): string;
  summary(): RunSummary;
  result(trial: string): TrialResult;
  trialEvents(trial: string): Event[];
}

interface EndedRun extends RunFiles {
  exitCode: number | undefined;
  stdout: string;
  stderr: string;
}

/** Runs the built program to its end, as a user would; results go to the place. */
export async function termRun(args: string[], place = makePlace()): Promise<EndedRun> {
  const { exitCode, stdout, stderr } = await startCli(args, place);
  return { exitCode, stdout, stderr, ...filesOf(place) };
}

type EventOf<K extends Event["type"]> = Event & { type: K };

interface FollowedRun extends RunFiles {
  pid: number;
  events: Event[];
  ended: Promise<{ exitCode?: number; stderr: string }>;
  untilEvent<K extends Event["type"]>(
    type: K,
    matches?: (event: EventOf<K>) => boolean,
  ): Promise<EventOf<K>>;
  untilStderr(text: string): Promise<unknown>;
  /** What a terminal does: the signal reaches the whole foreground group. */
  pressCtrlC(): void;
  kill(): void;
}

/** Starts the built program in a process group of its own, and follows its events. */
export function startRun(args: string[], place = makePlace()): FollowedRun {
  const child = startCli([...args, "--json"], place);
  const pid = child.pid as number;
  const events: Event[] = [];
  const changed = new EventEmitter().setMaxListeners(0);
  let errors = "";
  let closed = false;
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    events.push(JSON.parse(line));
    changed.emit("change");
  });
  lines.on("close", () => {
    closed = true;
    changed.emit("change");
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
    changed.emit("change");
  });

  async function until<T>(what: string, find: () => T | undefined | false): Promise<T> {
    for (;;) {
      const found = find();
      if (found) return found;
      if (closed) throw new Error(`the run ended before there was ${what}\n${errors}`);
      await once(changed, "change");
    }
  }

  return {
    ...filesOf(place),
    pid,
    events,
    ended: child,
    untilEvent: (type, matches = () => true) => {
      type Wanted = EventOf<typeof type>;
      const fits = (event: Event): event is Wanted =>
        event.type === type && matches(event as Wanted);
      return until(`an event ${type}`, () => events.find(fits));
    },
    untilStderr: (text) => until(`"${text}" on stderr`, () => errors.includes(text)),
    pressCtrlC: () => process.kill(-pid, "SIGINT"),
    kill: () => process.kill(pid, "SIGKILL"),
  };
}

function startCli(args: string[], place: Place) {
  const out = args.includes("--resume") ? [] : ["--out", place.out];
  return execa(process.execPath, [MAIN, ...args, ...out], {
    cwd: place.dir,
    env: place.env,
    stdin: "ignore",
    reject: false,
    detached: true,
  });
}

function filesOf(place: Place): RunFiles {
  const text = (path: string) => readFileSync(join(place.out, path), "utf8");
  return {
    place,
    text,
    summary: () => JSON.parse(text("summary.json")) as RunSummary,
    result: (trial: string) =>
      JSON.parse(text(join("trials", trial, "result.json"))) as TrialResult,
    trialEvents: (trial: string) =>
      text(join("trials", trial, "events.jsonl"))
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Event),
  };
}
