/** `1.2s`, `2m 05s`, `1h 02m`. */
export function formatDuration(seconds: number): string {
  if (seconds < 59.95) return `${seconds.toFixed(1)}s`;
  return formatSeconds(Math.round(seconds));
}

/** The same in whole seconds, for numbers that count up on the screen. */
export function formatSeconds(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${padTwo(whole % 60)}s`;
  return `${Math.floor(whole / 3600)}h ${padTwo(Math.floor((whole % 3600) / 60))}m`;
}

/** `1 step`, `2 steps`. */
export function formatCount(count: number, word: string): string {
  return `${formatInteger(count)} ${word}${count === 1 ? "" : "s"}`;
}

export function formatInteger(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 0 });
}

/** Two decimals at most, without trailing zeros: `0.5`, `1`. */
export function formatNumber(value: number): string {
  return String(Number(value.toFixed(2)));
}

/** Cents as usual; small amounts with the digits that matter. */
export function formatCost(usd: number): string {
  const digits = usd === 0 || usd >= 0.1 ? 2 : 4;
  return usd.toLocaleString("en-US", {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

export function formatPercent(share: number): string {
  return (share * 100).toFixed(1);
}

/** `9.5–90.5 %`. */
export function formatShares(low: number, high: number): string {
  return `${formatPercent(low)}–${formatPercent(high)} %`;
}

/** `1 try`, `2 tries`. */
export function formatTries(count: number): string {
  return count === 1 ? "1 try" : `${formatInteger(count)} tries`;
}

function padTwo(value: number): string {
  return String(value).padStart(2, "0");
}
