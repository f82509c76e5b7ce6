import { el } from "./dom.js";
import { formatCount } from "./format.js";

/** @import { Part } from "./types.js" */

/** A longer instruction is collapsed, so that the steps stay visible. */
const LONG_INSTRUCTION = { lines: 8, length: 700 };

/**
 * The parts of a trial with their steps, and a search that hides the other steps.
 * @param {{ part: Part, items: HTMLLIElement[] }[]} timeline
 */
export function drawParts(timeline) {
  const items = timeline.flatMap((own) => own.items);
  const sections = timeline.map(({ part, items: own }) => drawSection(part, own));
  return items.length > 0 ? [drawSearch(items), ...sections] : sections;
}

/**
 * @param {Part} part
 * @param {HTMLLIElement[]} items
 */
function drawSection(part, items) {
  const title = part.name === null ? null : `Part ${part.number} of ${part.of}: ${part.name}`;
  return el(
    "section",
    { class: title === null ? "" : "part" },
    el("h3", { class: title === null ? "hidden" : "" }, title ?? "Steps"),
    part.instruction !== null && drawInstruction(part.instruction),
    el("ol", { class: "timeline" }, ...items),
  );
}

/** @param {string} instruction */
function drawInstruction(instruction) {
  const text = el("p", { class: "said" }, instruction.trimEnd());
  const { lines, length } = LONG_INSTRUCTION;
  const count = instruction.trimEnd().split("\n").length;
  const title = `Instruction (${formatCount(count, "line")})`;
  return instruction.length > length || count > lines
    ? el("details", { class: "instruction" }, el("summary", {}, title), text)
    : el("div", { class: "instruction" }, el("h4", {}, "Instruction"), text);
}

/** A search in the steps. @param {HTMLLIElement[]} items */
function drawSearch(items) {
  const count = el("span", { class: "muted", role: "status" });
  const input = el("input", {
    type: "search",
    placeholder: "Find in this trial",
    "aria-label": "Find in this trial",
    input: filter,
  });
  const onlyBad = el("input", { type: "checkbox", change: filter });
  const texts = items.map((item) => (item.textContent ?? "").toLowerCase());

  function filter() {
    const wanted = input.value.trim().toLowerCase();
    let left = 0;
    for (const [place, item] of items.entries()) {
      item.hidden =
        !texts[place].includes(wanted) || (onlyBad.checked && !item.classList.contains("bad"));
      if (!item.hidden) left += 1;
    }
    count.textContent = left === items.length ? "" : `${left} of ${items.length}`;
  }

  return el("div", { class: "find" }, input, el("label", {}, onlyBad, " only failed steps"), count);
}
