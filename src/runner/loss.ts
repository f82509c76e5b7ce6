import type { Download } from "../interfaces/index.js";

/** Of what was left out, a note names so many. */
const MAX_NAMED = 3;

/** What a download lacks, for the log; null if nothing. */
export function describeLoss(
  source: string,
  { leftOut, leftOutCount, problem }: Download,
): string | null {
  const named = leftOut.slice(0, MAX_NAMED).map(({ path, reason }) => `${path} (${reason})`);
  const more = leftOutCount - named.length;
  const list = [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
  const parts = [
    ...(leftOutCount > 0 ? [`left out of the copy of ${source}: ${list}`] : []),
    ...(problem === null ? [] : [`${source} was not copied completely: ${problem}`]),
  ];
  return parts.length > 0 ? parts.join("; ") : null;
}
