import { index } from "./data.js";
import { createTrialDialog, trialInAddress } from "./dialog.js";
import { el } from "./dom.js";
import { formatCount, formatInteger } from "./format.js";
import { drawPlot } from "./plot.js";
import { createTasks, listTasks } from "./tasks.js";
import { drawTotals } from "./totals.js";
import { createTrials, matchesRow, searchStories } from "./trials.js";

/** @import { Trial } from "./types.js" */

const allTasks = listTasks();
const hasCost = allTasks.some(({ cost }) => cost !== null);
const tasks = createTasks();
const trials = createTrials();
const plot = el("div");

/** @type {{ outcome: string | null, found: ReadonlySet<Trial> | null }} */
const filter = { outcome: null, found: null };
let searching = new AbortController();

const search = el("input", {
  type: "search",
  id: "search",
  placeholder: "Search tasks, outcomes, reasons",
  "aria-label": "Search",
  input: onSearch,
});
const deep = el("input", { type: "checkbox", change: onSearch });
const status = el("span", { class: "muted", role: "status" });

/** @type {{ name: string, panel: HTMLElement, button: HTMLButtonElement }[]} */
const tabs = [
  { name: "Tasks", panel: tasks.element },
  { name: "Trials", panel: trials.element },
  ...(hasCost ? [{ name: "Cost", panel: plot }] : []),
].map(({ name, panel }) => {
  const id = name.toLowerCase();
  panel.id = `panel-${id}`;
  panel.setAttribute("role", "tabpanel");
  panel.setAttribute("aria-labelledby", `tab-${id}`);
  const button = el(
    "button",
    {
      type: "button",
      role: "tab",
      id: `tab-${id}`,
      "aria-controls": panel.id,
      click: () => showTab(name),
      keydown: moveTab,
    },
    name,
  );
  return { name, panel, button };
});

const dialog = createTrialDialog({ neighbours: () => trials.sorted(), onClose: forgetTrial });

document
  .getElementById("app")
  ?.append(
    drawTotals(onOutcome),
    el(
      "main",
      {},
      el(
        "div",
        { class: "tools" },
        el(
          "div",
          { role: "tablist", "aria-label": "Views", class: "tabs" },
          ...tabs.map(({ button }) => button),
        ),
        el("div", { class: "search" }, search, el("label", {}, deep, " also in transcripts")),
        status,
      ),
      ...tabs.map(({ panel }) => panel),
    ),
    el(
      "footer",
      { class: "muted" },
      "Keys: / to search; arrow keys to move in the grid, Enter to open a trial; j and k for the next and the previous trial, Escape to close it.",
    ),
    dialog.element,
  );

showTab("Tasks");
apply();
openAddressed();
addEventListener("hashchange", openAddressed);
addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement;
  if (event.key !== "/" || typing || dialog.element.open) return;
  event.preventDefault();
  search.focus();
});

function apply() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const left = index.trials.filter(
    (trial) =>
      (filter.outcome === null || trial.outcome === filter.outcome) &&
      (filter.found ? filter.found.has(trial) : matchesRow(trial, words)),
  );
  const names = new Set(left.map(({ task }) => task));
  const shownTasks = allTasks.filter(({ task }) => names.has(task));
  tasks.setRows(shownTasks);
  trials.setRows(left);
  if (hasCost) plot.replaceChildren(drawPlot(shownTasks, showTask));
  for (const chip of document.querySelectorAll(".chip"))
    chip.setAttribute("aria-pressed", String(chip.getAttribute("data-outcome") === filter.outcome));
  const all = index.trials.length;
  status.textContent =
    left.length === all
      ? `${formatCount(all, "trial")}, ${formatCount(allTasks.length, "task")}`
      : `${formatInteger(left.length)} of ${formatCount(all, "trial")}, ${formatInteger(shownTasks.length)} of ${formatCount(allTasks.length, "task")}`;
}

/** @param {string} outcome */
function onOutcome(outcome) {
  filter.outcome = filter.outcome === outcome ? null : outcome;
  apply();
}

async function onSearch() {
  searching.abort();
  searching = new AbortController();
  const { signal } = searching;
  const text = search.value.trim().toLowerCase();
  filter.found = null;
  if (!deep.checked || text === "") return apply();
  const onProgress = (/** @type {number} */ done) => {
    status.textContent = `searching … ${formatInteger(done)} of ${formatCount(index.trials.length, "trial")}`;
  };
  const found = await searchStories(index.trials, text, { signal, onProgress });
  if (signal.aborted) return;
  const words = text.split(/\s+/);
  filter.found = new Set([...found, ...index.trials.filter((trial) => matchesRow(trial, words))]);
  apply();
}

/** @param {string} task */
function showTask(task) {
  search.value = task;
  void onSearch();
  showTab("Trials");
}

/** @param {string} name */
function showTab(name) {
  for (const { name: own, panel, button } of tabs) {
    panel.hidden = own !== name;
    button.setAttribute("aria-selected", String(own === name));
    button.tabIndex = own === name ? 0 : -1;
  }
}

/** @param {KeyboardEvent} event */
function moveTab(event) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined) return;
  const at = tabs.findIndex(({ button }) => button === event.target);
  const next = tabs[(at + by + tabs.length) % tabs.length];
  showTab(next.name);
  next.button.focus();
}

function openAddressed() {
  const trial = trialInAddress();
  if (trial) void dialog.open(trial);
  else dialog.close();
}

// Without the jump to the top that an empty hash causes.
function forgetTrial() {
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
}
