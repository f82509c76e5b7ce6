import { svg } from "./dom.js";
import { formatPercent } from "./format.js";

/** @import { Rate } from "./types.js" */

/**
 * A share from 0 to 1 with its interval: a bar, a whisker and a dot.
 * @param {Rate} rate
 * @param {number} [height]
 */
export function drawInterval(rate, height = 14) {
  const middle = height / 2;
  const label = describeRate(rate);
  const bar = svg(
    "svg",
    {
      class: "interval",
      viewBox: `0 0 100 ${height}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": label,
    },
    svg("title", {}, label),
    svg("rect", { class: "track", x: 0, y: middle - 3, width: 100, height: 6 }),
  );
  if (rate.value === null || rate.low === null || rate.high === null) return bar;
  const low = rate.low * 100;
  const width = Math.max(0.5, (rate.high - rate.low) * 100);
  bar.append(
    svg("rect", { class: "fill", x: 0, y: middle - 3, width: rate.value * 100, height: 6 }),
    svg("rect", { class: "whisker", x: low, y: middle - 1, width, height: 2 }),
    svg("rect", {
      class: "point",
      x: Math.min(99, rate.value * 100) - 0.5,
      y: 1,
      width: 1.5,
      height: height - 2,
    }),
  );
  return bar;
}

/** @param {Rate} rate */
function describeRate({ value, low, high, passed, of }) {
  if (value === null) return "no trial was scored";
  return `${formatPercent(value)} (${passed} of ${of}), 95 % interval ${formatPercent(low)} to ${formatPercent(high)}`;
}
