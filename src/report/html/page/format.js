const integers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const UNKNOWN = "–";

/** @param {number | null} value */
export function formatInteger(value) {
  return value === null ? UNKNOWN : integers.format(value);
}

/** @param {number | null} value */
export function formatNumber(value) {
  return value === null ? UNKNOWN : String(Number(value.toFixed(2)));
}

/** @param {number | null} value */
export function formatTenths(value) {
  return value === null ? UNKNOWN : String(Number(value.toFixed(1)));
}

/** @param {number | null} seconds */
export function formatTime(seconds) {
  if (seconds === null) return UNKNOWN;
  if (seconds < 0.0995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${two(whole % 60)}s`;
  return `${Math.floor(whole / 3600)}h ${two(Math.floor((whole % 3600) / 60))}m`;
}

/** @param {number | null} usd */
export function formatCost(usd) {
  if (usd === null) return UNKNOWN;
  return `$${usd.toFixed(usd === 0 || usd >= 0.1 ? 2 : 4)}`;
}

/** @param {number | null} share */
export function formatPercent(share) {
  return share === null ? UNKNOWN : `${(share * 100).toFixed(1)}\u00a0%`;
}

/**
 * @param {number} count
 * @param {string} word
 */
export function formatCount(count, word) {
  return `${integers.format(count)} ${word}${count === 1 ? "" : "s"}`;
}

/** @param {readonly (number | null)[]} values */
export function average(values) {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
