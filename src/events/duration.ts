/** Seconds for a record, to the millisecond. */
export function secondsOf(ms: number): number {
  return Math.round(ms) / 1000;
}
