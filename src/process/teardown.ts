import { messageOf } from "../errors.js";

/** Releases what was set up, in reverse order, however far the setup got. */
export class Teardown {
  readonly #releases: (() => unknown)[] = [];

  /** Call this before creating what it releases: that may fail half-way. */
  add(release: () => unknown): void {
    this.#releases.push(release);
  }

  /** Runs every release once, even if others fail; then throws what failed. */
  async run(): Promise<void> {
    const errors: unknown[] = [];
    for (let release = this.#releases.pop(); release; release = this.#releases.pop())
      try {
        await release();
      } catch (error) {
        errors.push(error);
      }
    if (errors.length > 1) throw new AggregateError(errors, errors.map(messageOf).join("; "));
    if (errors.length === 1) throw errors[0];
  }
}
