import type { FetchReport } from "./fetch-report.js";
import { GitFetcher } from "./git/fetcher.js";
import { DEFAULT_REGISTRIES } from "./registry/defaults.js";
import { Registries } from "./registry/registries.js";

/** What datasets are found and fetched with. */
export interface Sources {
  fetcher: GitFetcher;
  registries: Registries;
}

export interface FetchOptions {
  /** Where datasets are looked up; the public registries by default. */
  registries?: readonly string[] | undefined;
  /** What fetching does; its warnings are in the result. */
  onProgress?: FetchReport["progress"] | undefined;
}

/** Opens what datasets are read with, and closes it; collects warnings about fetching. */
export async function withSources<T>(
  { registries = DEFAULT_REGISTRIES, onProgress = () => {} }: FetchOptions,
  work: (sources: Sources, warnings: string[]) => Promise<T>,
): Promise<T> {
  const warnings: string[] = [];
  const report = { progress: onProgress, warning: (text: string) => warnings.push(text) };
  const fetcher = new GitFetcher(report);
  try {
    return await work(
      { fetcher, registries: new Registries(registries, fetcher, report) },
      warnings,
    );
  } finally {
    fetcher.close();
  }
}
