import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { CommandAgent } from "../../src/agent/command/agent.js";
import { resolveAgent } from "../../src/agent/command/resolve.js";
import { Watchdog } from "../../src/process/watchdog.js";
import { type Body, contextFor, environmentFor, type TurnSettings, turnFor } from "./bench.js";

type Found<T extends Body["type"]> = Extract<Body, { type: T }>;

/** A folder, a watchdog and a log for each test; released after it. */
export function useBench() {
  const bench = {
    dir: "",
    watchdog: new Watchdog(),
    events: [] as Body[],
    releases: [] as (() => Promise<unknown>)[],
    find: <T extends Body["type"]>(type: T) =>
      bench.events.filter((event): event is Found<T> => event.type === type),
    write(file: string, source: string): string {
      writeFileSync(join(bench.dir, file), source);
      return join(bench.dir, file);
    },
    read: (file: string) => readOr(join(bench.dir, file), ""),
    context: () => contextFor(bench.dir, bench.watchdog),
    turn: (settings: TurnSettings = {}) =>
      turnFor(bench.dir, {
        ...settings,
        onEvent(event) {
          bench.events.push(event);
          settings.onEvent?.(event);
        },
      }),
    /** A session of an agent with this program. */
    async open(file: string, source: string, env: NodeJS.ProcessEnv = {}) {
      const command = resolveAgent(bench.write(file, source));
      const agent = new CommandAgent(command, environmentFor(env));
      const session = await agent.open(bench.context());
      bench.releases.push(() => session.close());
      return session;
    },
  };
  beforeEach(() => {
    bench.dir = mkdtempSync(join(tmpdir(), "agent-"));
    bench.watchdog = new Watchdog();
    bench.events = [];
    bench.releases = [];
  });
  afterEach(async () => {
    await Promise.all(bench.releases.map((release) => release()));
    bench.watchdog.dismiss();
    rmSync(bench.dir, { recursive: true, force: true });
  });
  return bench;
}

export async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; round < 400 && !condition(); round++)
    await new Promise((resolve) => setTimeout(resolve, 25));
  expect(condition()).toBe(true);
}

/** Processes that work in a folder, as the host numbers them, whatever they know of themselves. */
export function processesIn(dir: string): number[] {
  const { ino, dev } = statSync(dir);
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const found = pids.filter((pid) => {
    try {
      const cwd = statSync(`/proc/${pid}/cwd`);
      return cwd.ino === ino && cwd.dev === dev;
    } catch {
      // It has ended, or isn't ours.
      return false;
    }
  });
  return found.map(Number);
}

export function isAlive(pid: number): boolean {
  try {
    // A zombie has ended; it only waits for its parent.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return otherwise;
  }
}
