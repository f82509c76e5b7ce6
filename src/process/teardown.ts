import { messageOf } from "../errors.js";

/** Releases what was set up, the last first, however far the set-up came. */
export class Teardown {
  readonly #releases: (() => unknown)[] = [];

  /** To be called before what is released can be created half-way. */
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
