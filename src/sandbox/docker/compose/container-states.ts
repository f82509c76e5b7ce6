import { EventEmitter, once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type Docker from "dockerode";
import type { ResourceLabels } from "../labels.js";

/** For an engine that doesn't report what happens. */
const POLL_MS = 2_000;

type State = Docker.ContainerInspectInfo["State"];

/** Looks at containers of one sandbox whenever the engine reports that something has happened to them. */
export class ContainerStates {
  readonly #docker: Docker;
  readonly #events: Readable | null;
  readonly #changes = new EventEmitter();

  private constructor(docker: Docker, events: Readable | null) {
    this.#docker = docker;
    this.#events = events;
    events?.on("error", () => {}).on("data", () => this.#changes.emit("change"));
    this.#changes.setMaxListeners(0);
  }

  static async watch(
    docker: Docker,
    { labels }: Pick<ResourceLabels, "labels">,
  ): Promise<ContainerStates> {
    const label = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
    const filters = { type: ["container" as const], label };
    const events = await docker.getEvents({ filters }).catch(() => null);
    return new ContainerStates(docker, events as Readable | null);
  }

  close(): void {
    this.#events?.destroy();
  }

  /** Resolves with what the check makes of the container's state, once that isn't null. */
  async until<T>(
    container: string,
    check: (state: State) => T | null,
    signal: AbortSignal,
  ): Promise<T> {
    for (;;) {
      signal.throwIfAborted();
      const change = this.#nextChange(signal);
      const { State } = await this.#docker.getContainer(container).inspect();
      const result = check(State);
      if (result !== null) {
        change.cancel();
        return result;
      }
      await change.seen;
    }
  }

  #nextChange(signal: AbortSignal): { seen: Promise<void>; cancel: () => void } {
    const over = new AbortController();
    const either = { signal: AbortSignal.any([signal, over.signal]) };
    const seen = Promise.race([
      once(this.#changes, "change", either),
      setTimeout(POLL_MS, undefined, either),
    ]).then(
      () => over.abort(),
      () => {},
    );
    return { seen, cancel: () => over.abort() };
  }
}
