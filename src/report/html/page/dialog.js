import { index, loadStory } from "./data.js";
import { el } from "./dom.js";
import { formatCost, formatInteger, formatNumber, formatTime } from "./format.js";
import { drawParts } from "./parts.js";
import { drawTimeline } from "./timeline.js";
import { drawBadge } from "./trials.js";

/** @import { Part, Story, Trial } from "./types.js" */

/**
 * The view of one trial: a dialog, so that Escape closes it and the page behind keeps its place.
 * @param {{ neighbours: () => readonly Trial[], onClose: () => void }} options
 */
export function createTrialDialog({ neighbours, onClose }) {
  /** @type {Trial | null} */
  let shown = null;
  const title = el("h2", { id: "trial-title", tabindex: -1 });
  const badge = el("span");
  const place = el("span", { class: "muted place" });
  const content = el("div", { class: "content" });
  const before = el(
    "button",
    { type: "button", click: () => move(-1), title: "Previous trial (k)" },
    "↑ Previous",
  );
  const after = el(
    "button",
    { type: "button", click: () => move(1), title: "Next trial (j)" },
    "↓ Next",
  );
  const element = el(
    "dialog",
    {
      "aria-labelledby": "trial-title",
      close: () => onClose(),
      click: closeOutside,
      keydown: onKey,
    },
    el(
      "div",
      { class: "bar" },
      title,
      badge,
      place,
      el(
        "div",
        { class: "actions" },
        before,
        after,
        el(
          "button",
          { type: "button", click: () => element.close(), title: "Close (Escape)" },
          "✕ Close",
        ),
      ),
    ),
    content,
  );

  /** @param {Event} event */
  function closeOutside(event) {
    if (event.target === element) element.close();
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey)
      return;
    if (event.key === "j") move(1);
    if (event.key === "k") move(-1);
  }

  /** @param {number} by */
  function move(by) {
    const list = neighbours();
    const next = list[list.findIndex((trial) => trial.trial === shown?.trial) + by];
    if (next) location.replace(`#${encodeURIComponent(next.trial)}`);
  }

  function drawPlace() {
    const list = neighbours();
    const at = list.findIndex((trial) => trial.trial === shown?.trial);
    place.textContent =
      at === -1 ? "" : `${formatInteger(at + 1)} of ${formatInteger(list.length)}`;
    before.disabled = at <= 0;
    after.disabled = at === -1 || at === list.length - 1;
  }

  return {
    element,
    /** @param {Trial} trial */
    async open(trial) {
      shown = trial;
      title.textContent = trial.trial;
      badge.replaceChildren(drawBadge(trial.outcome));
      drawPlace();
      content.replaceChildren(el("p", { class: "muted" }, "Unpacking …"));
      if (!element.open) element.showModal();
      const drawn = await loadStory(trial).then(
        (story) => drawTrial(trial, story),
        (error) => [el("p", { class: "problem" }, `This trial could not be unpacked: ${error}`)],
      );
      if (shown !== trial) return;
      content.replaceChildren(...drawn);
      content.scrollTop = 0;
      title.focus();
    },
    close() {
      if (element.open) element.close();
    },
  };
}

/**
 * @param {Trial} trial
 * @param {Story} story
 */
function drawTrial(trial, story) {
  const timeline = drawTimeline(story);
  const isEmpty = timeline.every(({ items }) => items.length === 0);
  return [
    drawFacts(trial, story),
    trial.reason !== "" &&
      el(
        "div",
        { class: "problem" },
        el("p", {}, trial.reason),
        trial.hint !== "" && el("p", {}, trial.hint),
      ),
    ...drawParts(timeline),
    isEmpty && el("p", { class: "none" }, "There are no steps in the log."),
    story.stderr_left_out > 0 &&
      el(
        "p",
        { class: "muted" },
        `${formatInteger(story.stderr_left_out)} more lines of stderr are in agent.stderr.log`,
      ),
    el(
      "p",
      { class: "muted" },
      `The complete log is trials/${trial.trial}/events.jsonl in the run's folder.`,
    ),
  ].filter((part) => part !== false);
}

/**
 * @param {Trial} trial
 * @param {Story} story
 */
function drawFacts(trial, story) {
  /** @type {[string, string | null | undefined | false][]} */
  const facts = [
    ["Reward", formatNumber(trial.reward)],
    ["Steps", formatInteger(trial.steps)],
    ["Time", formatTime(trial.seconds)],
    ["Sandbox start", trial.durations && formatTime(trial.durations.sandbox_sec)],
    ["Agent", trial.durations && formatTime(trial.durations.agent_sec)],
    ["Verifier", trial.durations && formatTime(trial.durations.verifier_sec)],
    [
      "Tokens",
      trial.input_tokens !== null &&
        `${formatInteger(trial.input_tokens)} in, ${formatInteger(trial.output_tokens)} out`,
    ],
    ["Cost", trial.cost !== null && formatCost(trial.cost)],
    ["Model", trial.models.join(", ")],
    ["Tries", trial.tries !== null && trial.tries > 1 && String(trial.tries)],
    ["Image", story.sandbox?.image],
    ["Agent's exit", story.parts.map(describeEnd).filter(Boolean).join(", ")],
    ["Command line", story.parts[0]?.agent_command?.join(" ")],
  ];
  return el(
    "dl",
    { class: "facts" },
    ...facts.flatMap(([name, value]) =>
      value ? [el("div", {}, el("dt", {}, name), el("dd", {}, value))] : [],
    ),
  );
}

/** @param {Part} part */
function describeEnd({ end }) {
  if (!end) return null;
  if (end.signal !== null) return end.signal;
  return end.exit_code === null ? null : String(end.exit_code);
}

/** The trial in the page's address. */
export function trialInAddress() {
  try {
    const name = decodeURIComponent(location.hash.slice(1));
    return index.trials.find(({ trial }) => trial === name) ?? null;
  } catch {
    return null;
  }
}
