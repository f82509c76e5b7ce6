/** The parts of a run's record: its rules, and where its tasks come from. */

/**
 * How programs on the host were kept from the run's files: by bubblewrap; not at all, because it isn't
 * there; or not at all, because they are trusted. Missing: the run had no such program.
 */
export type LeashKind = "bubblewrap" | "none" | "trusted";

export interface LimitsRecord {
  max_steps: number;
  max_invalid: number;
  max_idle: number;
  step_timeout_sec: number;
  command_timeout_sec: number;
  timeout_multiplier: number;
  output_limit_bytes: number;
}

export interface DownloadLimitsRecord {
  total_bytes: number;
  file_bytes: number;
  entries: number;
  depth: number;
  name_bytes: number;
}

/** The dataset that a task is of, and the folder of a repository that it was fetched from. */
export interface OriginRecord {
  dataset: string | null;
  /** As the dataset gives it. */
  digest: string | null;
  git_url: string | null;
  git_commit_id: string | null;
  path: string | null;
}
