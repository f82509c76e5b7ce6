/** Ends a run, or one of its trials. */
export class Cancellation {
  readonly #run = new AbortController();
  readonly #trials = new Map<string, AbortController>();

  /** Aborted when the whole run has to end. */
  get signal(): AbortSignal {
    return this.#run.signal;
  }

  /** Aborted when this trial, or the whole run, has to end. */
  signalOf(trial: string): AbortSignal {
    return AbortSignal.any([this.#run.signal, this.#controllerOf(trial).signal]);
  }

  cancel(trial?: string): void {
    if (trial === undefined) this.#run.abort(new Error("the run was interrupted"));
    else this.#controllerOf(trial).abort(new Error("the trial was cancelled"));
  }

  #controllerOf(trial: string): AbortController {
    const known = this.#trials.get(trial) ?? new AbortController();
    this.#trials.set(trial, known);
    return known;
  }
}
