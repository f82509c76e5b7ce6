import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { MARKER_VARIABLE } from "./marked.js";

const SCRIPT = fileURLToPath(new URL("./watchdog.sh", import.meta.url));

let child: ChildProcess | null = null;

function tell(line: string): void {
  if (!child) {
    child = spawn("/bin/sh", [SCRIPT], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
      env: { PATH: process.env.PATH ?? "/usr/bin:/bin", MARKER_VARIABLE },
    });
    child.on("error", () => {});
    child.stdin?.on("error", () => {});
    child.unref();
    (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  }
  child.stdin?.write(`${line}\n`);
}

/** Ends and removes what is entrusted to it when this process goes without a word. */
export const watchdog = {
  watchMarked: (marker: string) => tell(`+mark ${marker}`),
  releaseMarked: (marker: string) => tell(`-mark ${marker}`),
  /** A process and all below it. */
  watchTree: (pid: number) => tell(`+tree ${pid}`),
  releaseTree: (pid: number) => tell(`-tree ${pid}`),
  watchFolder: (dir: string) => tell(`+dir ${dir}`),
  /** A line of shell that undoes something; the name has no blanks. */
  watchCommand: (name: string, command: string) => tell(`+run ${name} ${command}`),
  releaseCommand: (name: string) => tell(`-run ${name}`),
  /** Nothing is left to watch: the watchdog goes too. */
  dismiss: () => {
    child?.stdin?.end("bye\n");
    child = null;
  },
};
