import { index, loadText, signOf, toneOf, wordsOf } from "./data.js";
import { el } from "./dom.js";
import { formatCost, formatInteger, formatNumber, formatTime } from "./format.js";
import { createTable } from "./table.js";

/** @import { Column, Trial } from "./types.js" */

/** A row for each trial. */
export function createTrials() {
  /** @type {Column<Trial>[]} */
  const columns = [
    { id: "trial", head: "Trial", value: ({ trial }) => trial, cell: drawLink },
    {
      id: "outcome",
      head: "Outcome",
      value: ({ outcome }) => outcome,
      cell: ({ outcome }) => drawBadge(outcome),
    },
    {
      id: "reward",
      head: "Reward",
      number: true,
      value: ({ reward }) => reward,
      cell: ({ reward }) => formatNumber(reward),
    },
    {
      id: "steps",
      head: "Steps",
      number: true,
      from: "wide",
      value: ({ steps }) => steps,
      cell: ({ steps }) => formatInteger(steps),
    },
    {
      id: "time",
      head: "Time",
      number: true,
      from: "wide",
      value: ({ seconds }) => seconds,
      cell: ({ seconds }) => formatTime(seconds),
    },
  ];
  if (index.trials.some(({ cost }) => cost !== null))
    columns.push({
      id: "cost",
      head: "Cost",
      number: true,
      from: "wide",
      value: ({ cost }) => cost,
      cell: ({ cost }) => formatCost(cost),
    });
  if (index.trials.some(({ reason }) => reason !== ""))
    columns.push({
      id: "reason",
      head: "Reason",
      from: "wide",
      value: ({ reason }) => reason || null,
      cell: ({ reason }) => reason,
    });
  const table = createTable({
    caption: "Trials",
    word: "trial",
    columns,
    sort: { id: "trial", down: false },
  });
  table.element.classList.add("trials");
  return table;
}

/** @param {string} outcome */
export function drawBadge(outcome) {
  return el(
    "span",
    { class: `badge ${toneOf(outcome)}` },
    el("span", { "aria-hidden": "true" }, `${signOf(outcome)} `),
    wordsOf(outcome),
  );
}

/** @param {Trial} trial */
function drawLink({ trial }) {
  return el("a", { href: `#${encodeURIComponent(trial)}` }, trial);
}

/**
 * Whether a trial's row has all the words.
 * @param {Trial} trial
 * @param {string[]} words in lower case
 */
export function matchesRow(trial, words) {
  const text = `${trial.trial} ${trial.task} ${trial.outcome} ${wordsOf(trial.outcome)} ${trial.reason}`;
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

/**
 * The trials whose transcript has the text. It unpacks them all, so it reports its progress.
 * @param {readonly Trial[]} trials
 * @param {string} text in lower case
 * @param {{ signal: AbortSignal, onProgress: (done: number) => void }} options
 */
export async function searchStories(trials, text, { signal, onProgress }) {
  // Stories are searched as JSON: quotes and line breaks look different there.
  const wanted = JSON.stringify(text).slice(1, -1);
  /** @type {Trial[]} */
  const found = [];
  let pause = performance.now();
  for (const [done, trial] of trials.entries()) {
    if ((await loadText(trial)).toLowerCase().includes(wanted)) found.push(trial);
    if (signal.aborted) return found;
    if (performance.now() - pause < 50) continue;
    onProgress(done + 1);
    await new Promise((resolve) => setTimeout(resolve));
    pause = performance.now();
  }
  return found;
}
