import type { DownloadLimitsRecord, RunRecord } from "../events/index.js";
import type { DownloadLimits } from "../interfaces/index.js";

const FIELDS: [keyof DownloadLimits, keyof DownloadLimitsRecord][] = [
  ["bytes", "total_bytes"],
  ["fileBytes", "file_bytes"],
  ["entries", "entries"],
  ["depth", "depth"],
  ["nameBytes", "name_bytes"],
];

/** For the run's record: only what differs from the default. */
export function describeDownloadLimits(
  limits: Partial<DownloadLimits> | undefined,
): Pick<RunRecord, "artifact_limits"> {
  const given = FIELDS.flatMap(([name, field]) => {
    const value = limits?.[name];
    return value === undefined ? [] : [[field, value] as const];
  });
  return given.length === 0 ? {} : { artifact_limits: Object.fromEntries(given) };
}

export function readDownloadLimits({ artifact_limits }: RunRecord): Partial<DownloadLimits> {
  const entries = FIELDS.flatMap(([name, field]) => {
    const value = artifact_limits?.[field];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}
