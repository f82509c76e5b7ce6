import { drawInterval } from "./bars.js";
import { index, signOf, toneOf, wordsOf } from "./data.js";
import { el } from "./dom.js";
import {
  formatCost,
  formatCount,
  formatInteger,
  formatNumber,
  formatPercent,
  formatTime,
} from "./format.js";

/** The agent and its main numbers, each with its denominator. @param {(outcome: string) => void} onOutcome */
export function drawTotals(onOutcome) {
  const { summary } = index;
  const rate = summary.pass_rate;
  const attempts = describeAttempts();
  return el(
    "header",
    { class: "top" },
    el("p", { class: "eyebrow" }, `${index.run}`),
    el("h1", {}, index.agent),
    el("p", { class: "muted" }, describeRun()),
    summary.unreadable &&
      el(
        "p",
        {},
        `Left out as unreadable: ${formatCount(summary.unreadable.length, "task")} (${summary.unreadable.join(", ")})`,
      ),
    el(
      "div",
      { class: "cards" },
      el(
        "section",
        { class: "card rate", "aria-label": "Pass rate" },
        el("h2", {}, "Pass rate"),
        el("p", { class: "big" }, formatPercent(rate.value)),
        drawInterval(rate, 18),
        el("p", { class: "muted" }, describeInterval()),
        attempts !== "" && el("p", { class: "muted" }, attempts),
        ...describeApart().map((text) => el("p", { class: "muted" }, text)),
      ),
      card(
        "Mean reward",
        formatNumber(summary.mean_reward),
        `over ${formatCount(summary.trials.scored, "scored trial")}`,
      ),
      card("Trials", formatInteger(summary.trials.finished), describeTrials()),
      summary.usage &&
        card(
          summary.usage.cost_usd === null ? "Tokens" : "Cost",
          summary.usage.cost_usd === null
            ? formatInteger(summary.usage.input_tokens + summary.usage.output_tokens)
            : formatCost(summary.usage.cost_usd),
          `${formatInteger(summary.usage.input_tokens)} tokens in, ${formatInteger(summary.usage.output_tokens)} out`,
        ),
    ),
    drawOutcomes(onOutcome),
  );
}

function describeInterval() {
  const { value, low, high, passed, of } = index.summary.pass_rate;
  if (value === null) return "no trial was scored";
  const share = `${formatInteger(passed)} of ${formatCount(of, "scored trial")} passed`;
  return `${share}; 95 % interval ${formatPercent(low)} to ${formatPercent(high)}, for tasks like these`;
}

/** The interval for these tasks, and what the rate leaves out. */
function describeApart() {
  const { pass_rate, with_errors, discarded_tries, outcomes, trials } = index.summary;
  const { these_tasks, of } = pass_rate;
  const lines = [];
  if (these_tasks && of > index.tasks.filter((task) => task.of > 0).length)
    lines.push(
      `for exactly these tasks ${formatPercent(these_tasks.low)} to ${formatPercent(these_tasks.high)}`,
    );
  const apart = index.outcomes.filter(({ outcome, scored }) => !scored && outcomes[outcome]);
  if (apart.length > 0)
    lines.push(
      `not scored: ${apart.map(({ outcome }) => `${outcomes[outcome]} ${wordsOf(outcome)}`).join(", ")}; ` +
        `${trials.scored} of ${trials.finished} scored`,
    );
  if (with_errors)
    lines.push(
      `with errors as failures ${formatPercent(with_errors.value)} (${with_errors.passed} of ${with_errors.of})`,
    );
  if (discarded_tries) lines.push(`discarded tries: ${discarded_tries}`);
  return lines;
}

/** pass@k and pass^k for the most attempts; empty if there was only one. */
function describeAttempts() {
  const { pass_at_k, pass_hat_k } = index.summary;
  const most = pass_at_k.findLast(({ k, value }) => k > 1 && value !== null);
  const all = pass_hat_k.findLast(({ k, value }) => k > 1 && value !== null);
  if (!most || !all) return "";
  return `pass@${most.k} ${formatPercent(most.value)}, pass^${all.k} ${formatPercent(all.value)}`;
}

function describeRun() {
  const models = index.summary.usage?.models ?? [];
  const time = `${index.started_at.slice(0, 16).replace("T", " ")} UTC`;
  const { datasets, sandbox, term_run } = index;
  return [time, ...datasets, `sandbox ${sandbox}`, ...models, `term-run ${term_run}`].join(" · ");
}

function describeTrials() {
  const { summary } = index;
  const time = formatTime(summary.duration_sec);
  const { finished, planned } = summary.trials;
  if (!summary.interrupted && finished >= planned) return `in ${time}`;
  return `of ${formatInteger(planned)} planned, in ${time}${summary.interrupted ? "; interrupted" : ""}`;
}

/**
 * @param {string} title
 * @param {string} value
 * @param {string} note
 */
function card(title, value, note) {
  return el(
    "section",
    { class: "card", "aria-label": title },
    el("h2", {}, title),
    el("p", { class: "big" }, value),
    el("p", { class: "muted" }, note),
  );
}

/** The outcomes of the trials; each is a filter. @param {(outcome: string) => void} onOutcome */
function drawOutcomes(onOutcome) {
  const counts = Object.entries(countOutcomes());
  const total = index.trials.length;
  return el(
    "div",
    { class: "outcomes", role: "group", "aria-label": "Show only one outcome" },
    ...counts.map(([outcome, count]) =>
      el(
        "button",
        {
          type: "button",
          class: `chip ${toneOf(outcome)}`,
          "data-outcome": outcome,
          "aria-pressed": "false",
          title: `${count} of ${total} trials`,
          click: () => onOutcome(outcome),
        },
        el("span", { "aria-hidden": "true" }, signOf(outcome)),
        ` ${wordsOf(outcome)} `,
        el("b", {}, formatInteger(count)),
      ),
    ),
  );
}

function countOutcomes() {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const { outcome } of index.trials) counts[outcome] = (counts[outcome] ?? 0) + 1;
  const order = index.outcomes.map(({ outcome }) => outcome).filter((outcome) => counts[outcome]);
  return Object.fromEntries(order.map((outcome) => [outcome, counts[outcome]]));
}
