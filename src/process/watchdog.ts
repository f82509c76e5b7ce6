import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { MARKER_VARIABLE } from "./marked.js";

const SCRIPT = fileURLToPath(new URL("./watchdog.sh", import.meta.url));

/**
 * Kills and removes what is registered with it if this process dies without dismissing it. Each run
 * has its own: dismissing one doesn't affect the others.
 */
export class Watchdog {
  #child: ChildProcess | null = null;

  watchMarked(marker: string): void {
    this.#send(`+mark ${marker}`);
  }

  releaseMarked(marker: string): void {
    this.#send(`-mark ${marker}`);
  }

  /** A process and all below it. */
  watchTree(pid: number): void {
    this.#send(`+tree ${pid}`);
  }

  releaseTree(pid: number): void {
    this.#send(`-tree ${pid}`);
  }

  watchFolder(dir: string): void {
    this.#send(`+dir ${dir}`);
  }

  /** A shell command that undoes something; the name has no blanks. */
  watchCommand(name: string, command: string): void {
    this.#send(`+run ${name} ${command}`);
  }

  releaseCommand(name: string): void {
    this.#send(`-run ${name}`);
  }

  /** Nothing is left to watch: the watchdog's process ends too. */
  dismiss(): void {
    this.#child?.stdin?.end("bye\n");
    this.#child = null;
  }

  #send(line: string): void {
    this.#child ??= start();
    this.#child.stdin?.write(`${line}\n`);
  }
}

function start(): ChildProcess {
  const child = spawn("/bin/sh", [SCRIPT], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin", MARKER_VARIABLE },
  });
  child.on("error", () => {});
  child.stdin?.on("error", () => {});
  child.unref();
  (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return child;
}
