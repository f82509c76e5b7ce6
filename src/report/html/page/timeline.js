import { drawOutput } from "./ansi.js";
import { el } from "./dom.js";
import { formatCost, formatCount, formatInteger, formatTime } from "./format.js";

/** @import { Command, Part, Step, Story } from "./types.js" */

/** A block with more lines than this may scroll, so it must be reachable with the keyboard. */
const TALL_LINES = 18;

/**
 * What happened in each part: its steps in order, then the verifier. All parts share one scale of
 * time.
 * @param {Story} story
 * @returns {{ part: Part, items: HTMLLIElement[] }[]}
 */
export function drawTimeline({ started_at, parts }) {
  const began = Date.parse(started_at ?? "");
  const steps = parts.flatMap((part) => part.steps);
  const longest = Math.max(
    1e-9,
    ...steps.map((step) => step.thinking_sec + (step.ran?.duration_sec ?? 0)),
  );
  return parts.map((part) => ({ part, items: drawItems(part, began, longest) }));
}

/**
 * @param {Part} part
 * @param {number} began
 * @param {number} longest
 */
function drawItems(part, began, longest) {
  const items = part.steps.map((step) => drawStep(step, began, longest));
  if (part.stderr.length > 0 || part.notes.length > 0)
    items.unshift(
      el("li", { class: "step" }, el("h4", {}, "Before the first step"), ...drawAsides(part)),
    );
  if (part.verifier) items.push(drawVerifier(part.verifier));
  return items;
}

/**
 * @param {Step} step
 * @param {number} began
 * @param {number} longest
 */
function drawStep(step, began, longest) {
  const since = (Date.parse(step.started_at) - began) / 1000;
  const failed = step.refused !== null || (step.ran !== null && step.ran.exit_code !== 0);
  const item = el(
    "li",
    { class: failed ? "step bad" : "step" },
    el(
      "div",
      { class: "line" },
      el("h4", {}, `Step ${step.step}`),
      el(
        "span",
        { class: "muted" },
        Number.isFinite(since) ? `at ${formatTime(Math.max(0, since))}` : "",
      ),
      el("code", { class: "muted cwd" }, step.cwd),
      el("span", { class: "muted" }, `response ${formatTime(step.thinking_sec)}`),
      step.ran && el("span", { class: "muted" }, `command ${formatTime(step.ran.duration_sec)}`),
      step.ran && drawExit(step.ran),
      step.refused !== null && el("span", { class: "badge tone-bad" }, "refused"),
      drawUsage(step),
    ),
    drawDurations(step, longest),
    ...step.invalid.map(({ problem, raw }) =>
      el(
        "div",
        { class: "problem" },
        el("p", {}, `Invalid response: ${problem}`),
        raw !== "" && block("Raw response", raw, "raw"),
      ),
    ),
    step.text && el("p", { class: "said" }, step.text),
  );
  if (step.command !== null) item.append(drawCommand(step.command, step.ran));
  if (step.refused !== null)
    item.append(el("p", { class: "problem" }, `The command was refused: ${step.refused}`));
  if (step.command === null && !step.task_complete && step.invalid.length === 0)
    item.append(
      el("p", { class: "muted" }, "The response had neither a command nor task_complete."),
    );
  item.append(...drawAsides(step));
  if (step.task_complete)
    item.append(el("p", { class: "done" }, "The agent reports that the task is complete."));
  return item;
}

/** @param {Command} ran */
function drawExit(ran) {
  const text = ran.timed_out
    ? "timed out"
    : ran.exit_code === null
      ? "never finished"
      : `exit ${ran.exit_code}`;
  return el("span", { class: `badge tone-${ran.exit_code === 0 ? "good" : "bad"}` }, text);
}

/** @param {Step} step */
function drawUsage({ data }) {
  const usage = data?.usage;
  if (!usage) return null;
  const parts = [
    usage.model,
    usage.input_tokens != null && `${formatInteger(usage.input_tokens)} in`,
    usage.output_tokens != null && `${formatInteger(usage.output_tokens)} out`,
    usage.cost_usd != null && formatCost(usage.cost_usd),
  ].filter(Boolean);
  return parts.length > 0 && el("span", { class: "muted" }, parts.join(", "));
}

/**
 * How the step's time was spent, on the scale of the longest step.
 * @param {Step} step
 * @param {number} longest
 */
function drawDurations(step, longest) {
  const part = (/** @type {string} */ name, /** @type {number} */ seconds) => {
    const bar = el("span", { class: name });
    bar.style.width = `${(seconds / longest) * 100}%`;
    return bar;
  };
  return el(
    "div",
    { class: "durations", "aria-hidden": "true" },
    part("thinking", step.thinking_sec),
    part("running", step.ran?.duration_sec ?? 0),
  );
}

/**
 * @param {string} command
 * @param {Command | null} ran
 */
function drawCommand(command, ran) {
  const terminal = el("div", { class: "terminal" });
  terminal.append(block("Command", command, "command"));
  if (!ran) return terminal;
  if (ran.output !== "") terminal.append(block("Output", ran.output, "output"));
  if (ran.cut_bytes > 0)
    terminal.append(
      el(
        "p",
        { class: "aside" },
        `${formatInteger(ran.cut_bytes)} bytes were cut from what the agent saw`,
      ),
    );
  if (ran.shell_restarted)
    terminal.append(el("p", { class: "aside" }, "the shell ended; a new one was started"));
  return terminal;
}

/** @param {{ stderr: string[], notes: string[], noise?: string[] }} owner */
function drawAsides({ stderr, notes, noise = [] }) {
  const asides = notes.map((note) => el("p", { class: "muted" }, `Note: ${note}`));
  /** @type {HTMLElement[]} */
  const elements = asides;
  if (noise.length > 0) elements.push(fold("other stdout", noise));
  if (stderr.length > 0) elements.push(fold("stderr", stderr));
  return elements;
}

/**
 * @param {string} name
 * @param {string[]} lines
 */
function fold(name, lines) {
  return el(
    "details",
    {},
    el("summary", {}, `The agent's ${name} (${formatCount(lines.length, "line")})`),
    el("div", { class: "terminal" }, block(name, lines.join("\n"), "output")),
  );
}

/** @param {NonNullable<Part["verifier"]>} verifier */
function drawVerifier(verifier) {
  const passed = (verifier.reward ?? 0) >= 1;
  return el(
    "li",
    { class: passed ? "step verifier" : "step verifier bad" },
    el(
      "div",
      { class: "line" },
      el("h4", {}, "Verifier"),
      el("span", { class: "muted" }, formatTime(verifier.duration_sec)),
      verifier.exit_code !== null && el("span", { class: "muted" }, `exit ${verifier.exit_code}`),
      el(
        "span",
        { class: `badge tone-${passed ? "good" : "bad"}` },
        verifier.reward === null ? "no reward" : `reward ${verifier.reward}`,
      ),
    ),
    verifier.error !== null && el("p", { class: "problem" }, verifier.error),
    verifier.output !== "" &&
      el("div", { class: "terminal" }, block("Verifier's output", verifier.output, "output")),
  );
}

/**
 * @param {string} label
 * @param {string} text
 * @param {string} name
 */
function block(label, text, name) {
  const tall = text.split("\n", TALL_LINES + 1).length > TALL_LINES;
  const focus = tall ? { tabindex: 0, role: "region", "aria-label": label } : {};
  return el("pre", { class: name, ...focus }, drawOutput(text));
}
