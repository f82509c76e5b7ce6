import { el, svg } from "./dom.js";
import { formatCost, formatPercent } from "./format.js";

/** @typedef {import("./tasks.js").Task} Task */

const SIZE = { width: 640, height: 320, left: 52, right: 30, top: 14, bottom: 44 };

/**
 * The cost of a task's trials against its pass rate. The tasks' table has the same numbers, so the
 * plot is a single image to a screen reader.
 * @param {readonly Task[]} tasks
 * @param {(task: string) => void} onTask
 */
export function drawPlot(tasks, onTask) {
  const points = tasks.flatMap((task) =>
    task.cost !== null && task.value !== null ? [{ task, cost: task.cost, rate: task.value }] : [],
  );
  if (points.length === 0) return el("p", { class: "none" }, "no task with a known cost matches");
  const most = Math.max(...points.map(({ cost }) => cost)) || 1;
  const ticks = niceTicks(most);
  const top = ticks.at(-1) ?? most;
  const x = (/** @type {number} */ cost) =>
    SIZE.left + (cost / top) * (SIZE.width - SIZE.left - SIZE.right);
  const y = (/** @type {number} */ rate) =>
    SIZE.top + (1 - rate) * (SIZE.height - SIZE.top - SIZE.bottom);
  const label = `Pass rate against cost per trial, ${points.length} tasks, ${formatCost(0)} to ${formatCost(most)}`;
  return el(
    "figure",
    { class: "plot" },
    svg(
      "svg",
      { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role: "img", "aria-label": label },
      ...[0, 0.25, 0.5, 0.75, 1].flatMap((rate) => [
        svg("line", {
          class: "rule",
          x1: SIZE.left,
          x2: SIZE.width - SIZE.right,
          y1: y(rate),
          y2: y(rate),
        }),
        svg("text", { x: SIZE.left - 8, y: y(rate) + 4, "text-anchor": "end" }, `${rate * 100} %`),
      ]),
      ...ticks.map((tick) =>
        svg(
          "text",
          { x: x(tick), y: SIZE.height - SIZE.bottom + 20, "text-anchor": "middle" },
          formatCost(tick),
        ),
      ),
      svg(
        "text",
        { class: "axis", x: SIZE.width - SIZE.right, y: SIZE.height - 6, "text-anchor": "end" },
        "mean cost per trial",
      ),
      ...points.map(({ task, cost, rate }) => {
        const title = `${task.task}: ${formatPercent(rate)} passed, ${formatCost(cost)} per trial`;
        return svg(
          "circle",
          {
            class: `dot tone-${rate === 1 ? "good" : rate === 0 ? "bad" : "broken"}`,
            cx: x(cost),
            cy: y(rate) + jitter(task.task),
            r: points.length > 100 ? 3.5 : 5,
            click: () => onTask(task.task),
          },
          svg("title", {}, title),
        );
      }),
    ),
    el(
      "figcaption",
      { class: "muted" },
      "One dot per task; select one to see its trials. Dots with the same rate are spread slightly.",
    ),
  );
}

/** Up or down by a few pixels, always the same for a task. @param {string} text */
function jitter(text) {
  let hash = 7;
  for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) >>> 0;
  return (hash % 1000) / 125 - 4;
}

/** Round numbers from 0 to at least the most. @param {number} most */
function niceTicks(most) {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, place) => place * step);
}
