import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { TermRunError } from "../../../errors.js";
import { killQuietly } from "../../../process/index.js";
import { quote } from "../../../shell-words.js";
import type { Controller, Homes } from "./homes.js";

/** As many as a container may have. */
const PIDS_LIMIT = 16_384;
const CPU_PERIOD_US = 100_000;
const REMOVE_DEADLINE_MS = 30_000;
const INTERVAL_MS = 2;

/** Null: no limit of its own. */
export interface ResourceLimits {
  cpus: number | null;
  memoryMb: number | null;
}

/**
 * Whose processes they are: what the agent starts can't take the room of what term-run starts, such
 * as the verifier.
 */
export type Share = "agent" | "rest";
const SHARES: readonly Share[] = ["agent", "rest"];

/** Folders of the kernel in which a sandbox's processes are counted and limited together. */
export class Cgroup {
  readonly name = `term-run-${randomBytes(8).toString("hex")}`;
  readonly #groups: { dir: string; version: 1 | 2; controllers: Controller[] }[];

  readonly #limits: ResourceLimits;

  /** Makes nothing yet. Only what is limited is counted: entering a cgroup takes milliseconds. */
  constructor(homes: Homes, limits: ResourceLimits) {
    this.#limits = limits;
    const { memoryMb, cpus } = limits;
    const isLimited = { memory: memoryMb !== null, cpu: cpus !== null, pids: true };
    const controllers = (Object.keys(homes) as Controller[]).filter((name) => isLimited[name]);
    const parents = new Map(controllers.map((name) => [homes[name]?.parent, homes[name]]));
    this.#groups = [...parents.values()].flatMap((home) =>
      home
        ? [
            {
              dir: join(home.parent, this.name),
              version: home.version,
              controllers: controllers.filter((name) => homes[name]?.parent === home.parent),
            },
          ]
        : [],
    );
  }

  make(): void {
    const { memoryMb, cpus } = this.#limits;
    for (const { dir, version, controllers } of this.#groups) {
      mkdirSync(dir);
      if (controllers.includes("memory")) limitMemory(dir, version, memoryMb);
      if (controllers.includes("cpu")) limitCpu(dir, version, cpus);
      if (!controllers.includes("pids")) continue;
      if (version === 2) writeFileSync(join(dir, "cgroup.subtree_control"), "+pids");
      for (const share of SHARES) {
        mkdirSync(join(dir, share));
        writeFileSync(join(dir, share, "pids.max"), String(PIDS_LIMIT));
      }
    }
  }

  /** A process with one thread that writes 0 to all of these is in it. */
  entrances(share: Share): string[] {
    return this.#groups.map(({ dir, version, controllers }) =>
      // In version 1, entering by thread spares the kernel a lock that costs milliseconds.
      join(
        dir,
        controllers.includes("pids") ? share : "",
        version === 1 ? "tasks" : "cgroup.procs",
      ),
    );
  }

  /** Whether the kernel has ended a process in it because memory ran out. */
  ranOutOfMemory(): boolean {
    return this.#groups.some(({ dir, version }) => {
      const file = join(dir, version === 1 ? "memory.oom_control" : "memory.events");
      return /^oom_kill [1-9]/m.test(readIfThere(file));
    });
  }

  async remove(): Promise<void> {
    const deadline = performance.now() + REMOVE_DEADLINE_MS;
    for (const dir of this.#folders())
      while (!removeFolder(dir)) {
        if (performance.now() > deadline)
          throw new TermRunError("infra", `processes in the cgroup ${dir} can't be killed`, {
            hint: `Look for them in ${join(dir, "cgroup.procs")}.`,
          });
        for (const pid of readIfThere(join(dir, "cgroup.procs")).split("\n").filter(Boolean))
          killQuietly(Number(pid), "SIGKILL");
        await setTimeout(INTERVAL_MS);
      }
  }

  /** A line of shell that does the same. */
  get removal(): string {
    const dirs = this.#folders().map(quote).join(" ");
    return (
      `n=0; for d in ${dirs}; do while [ -d "$d" ] && ! rmdir "$d" && [ $n -lt 300 ]; do ` +
      'kill -9 $(cat "$d/cgroup.procs"); sleep 0.1; n=$((n+1)); done; done 2>/dev/null'
    );
  }

  /** The inner ones first. */
  #folders(): string[] {
    return this.#groups.flatMap(({ dir, controllers }) => [
      ...(controllers.includes("pids") ? SHARES.map((share) => join(dir, share)) : []),
      dir,
    ]);
  }
}

function limitMemory(dir: string, version: 1 | 2, megabytes: number | null): void {
  if (megabytes === null) return;
  const bytes = String(megabytes * 1024 * 1024);
  writeFileSync(join(dir, version === 1 ? "memory.limit_in_bytes" : "memory.max"), bytes);
  // Swap is included; not every kernel counts it.
  const swap = join(dir, version === 1 ? "memory.memsw.limit_in_bytes" : "memory.swap.max");
  if (existsSync(swap)) writeFileSync(swap, version === 1 ? bytes : "0");
}

function limitCpu(dir: string, version: 1 | 2, cpus: number | null): void {
  if (cpus === null) return;
  const quota = String(Math.round(cpus * CPU_PERIOD_US));
  if (version === 2) writeFileSync(join(dir, "cpu.max"), `${quota} ${CPU_PERIOD_US}`);
  else {
    writeFileSync(join(dir, "cpu.cfs_period_us"), String(CPU_PERIOD_US));
    writeFileSync(join(dir, "cpu.cfs_quota_us"), quota);
  }
}

/** Whether it is gone; not while a process is in it. */
function removeFolder(dir: string): boolean {
  try {
    rmdirSync(dir);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
