import type { Readable } from "node:stream";
import type Docker from "dockerode";
import split2 from "split2";

interface ExecDied {
  Actor?: { Attributes?: { execID?: string; exitCode?: string } };
}

/**
 * When processes in containers exit, as the engine reports it: what they left in the background may
 * hold their streams open for longer. One subscription serves all sandboxes of a provider.
 */
export class ExecExits {
  readonly #docker: Docker;
  readonly #waiting = new Map<string, (code: number) => void>();
  #events: Promise<Readable | null> | null = null;
  #isClosed = false;

  constructor(docker: Docker) {
    this.#docker = docker;
  }

  /** To be called before a process is started whose exit is waited for. */
  async subscribe(): Promise<void> {
    this.#events ??= this.#open();
    await this.#events;
  }

  /** Never resolves if the engine stops reporting; the process's streams are the other sign. */
  wait(execId: string): Promise<number> {
    return new Promise((resolve) => this.#waiting.set(execId, resolve));
  }

  forget(execId: string): void {
    this.#waiting.delete(execId);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    (await this.#events)?.destroy();
  }

  async #open(): Promise<Readable | null> {
    if (this.#isClosed) return null;
    const filters = { event: ["exec_die"] };
    const stream = await this.#docker.getEvents({ filters }).catch(() => null);
    if (!stream) return null;
    const again = () => {
      this.#events = null;
    };
    const events = stream as Readable;
    events.once("close", again).on("error", again);
    events.pipe(split2()).on("data", (line: string) => this.#take(line));
    return events;
  }

  #take(line: string): void {
    const { Actor } = JSON.parse(line) as ExecDied;
    const { execID = "", exitCode } = Actor?.Attributes ?? {};
    this.#waiting.get(execID)?.(Number(exitCode));
    this.#waiting.delete(execID);
  }
}
