/** Holm's correction: p-values that may each be compared with alpha, however many there are. */
export function correctForMany(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => at(values, a) - at(values, b));
  const corrected = new Array<number>(values.length).fill(1);
  let largest = 0;
  for (const [place, index] of order.entries()) {
    largest = Math.max(largest, at(values, index) * (values.length - place));
    corrected[index] = Math.min(1, largest);
  }
  return corrected;
}

function at(values: readonly number[], index: number): number {
  return values[index] as number;
}
