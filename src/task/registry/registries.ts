import { TermRunError } from "../../errors.js";
import type { FetchReport } from "../fetch-report.js";
import type { GitFetcher } from "../git/fetcher.js";
import { findNearest } from "../nearest.js";
import type { NamedDataset } from "./dataset.js";
import { openRegistry, type Registry } from "./open.js";
import { formatReference, type Reference } from "./reference.js";
import { chooseVersion } from "./versions.js";

export interface RegisteredDataset {
  registry: Registry;
  dataset: NamedDataset;
}

/** The registries that are asked, each read when it is first needed. */
export class Registries {
  readonly #specs: readonly string[];
  readonly #fetcher: GitFetcher;
  readonly #report: FetchReport;
  readonly #failures: TermRunError[] = [];
  readonly #opened = new Map<string, Promise<Registry>>();

  constructor(specs: readonly string[], fetcher: GitFetcher, report: FetchReport) {
    this.#specs = specs;
    this.#fetcher = fetcher;
    this.#report = report;
  }

  /** From the first registry that has it. */
  async find(reference: Reference): Promise<RegisteredDataset> {
    const known: RegisteredDataset[] = [];
    for (const spec of this.#specs) {
      const all = await this.#datasetsOf(spec);
      const named = all.filter(({ dataset }) => dataset.name === reference.name);
      const version =
        reference.version ?? chooseVersion(named.map(({ dataset }) => dataset.version));
      const found = named.find(({ dataset }) => dataset.version === version);
      if (found) return found;
      known.push(...all);
    }
    this.#throwFailure();
    const places = [...new Set(known.map(({ registry }) => registry.name))];
    throw new TermRunError(
      "usage",
      `there is no dataset ${formatReference(reference)} in ${places.join(" or ")}`,
      { hint: suggest(reference, known) },
    );
  }

  /** Every dataset, registry by registry. */
  async list(): Promise<RegisteredDataset[]> {
    const found: RegisteredDataset[] = [];
    for (const spec of this.#specs) found.push(...(await this.#datasetsOf(spec)));
    if (found.length === 0) this.#throwFailure();
    return found;
  }

  /** None of a registry that can't be reached: another may have what is wanted. */
  async #datasetsOf(spec: string): Promise<RegisteredDataset[]> {
    try {
      const registry = await this.#open(spec);
      return registry.datasets.map((dataset) => ({ registry, dataset }));
    } catch (error) {
      if (!(error instanceof TermRunError) || error.code !== "infra") throw error;
      this.#failures.push(error);
      if (this.#specs.length > 1) this.#report.warning(error.message);
      return [];
    }
  }

  #throwFailure(): void {
    const [failure] = this.#failures;
    if (failure) throw failure;
  }

  #open(spec: string): Promise<Registry> {
    const opened = this.#opened.get(spec) ?? openRegistry(spec, this.#fetcher, this.#report);
    this.#opened.set(spec, opened);
    return opened;
  }
}

function suggest({ name }: Reference, known: readonly RegisteredDataset[]): string {
  const versions = known.flatMap(({ dataset }) => (dataset.name === name ? [dataset.version] : []));
  if (versions.length > 0) return `Its versions are: ${versions.join(", ")}.`;
  const nearest = findNearest(
    name,
    known.map(({ dataset }) => dataset.name),
  );
  return `${nearest ? `Did you mean ${nearest}? ` : ""}term-run dataset list shows what there is.`;
}
