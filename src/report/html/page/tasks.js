import { drawInterval } from "./bars.js";
import { index, isScored, signOf, toneOf, wordsOf } from "./data.js";
import { el } from "./dom.js";
import { average, formatCost, formatNumber, formatTenths, formatTime } from "./format.js";
import { createTable } from "./table.js";

/** @import { Column, IndexTask, Trial } from "./types.js" */
/** @typedef {IndexTask & { trials: Trial[], steps: number | null, seconds: number | null, cost: number | null }} Task */

/** Every task with its trials, also a task without any result. */
export function listTasks() {
  /** @type {Map<string, Trial[]>} */
  const groups = new Map();
  for (const trial of index.trials) {
    const own = groups.get(trial.task);
    if (own) own.push(trial);
    else groups.set(trial.task, [trial]);
  }
  const known = new Map(index.tasks.map((task) => [task.task, task]));
  return [...groups].map(([task, trials]) => {
    const none = { task, mean_reward: null, value: null, low: null, high: null, passed: 0, of: 0 };
    const scored = trials.filter(({ outcome }) => isScored(outcome));
    return {
      ...(known.get(task) ?? none),
      trials,
      steps: average(scored.map(({ steps }) => steps)),
      seconds: average(scored.map(({ seconds }) => seconds)),
      cost: average(trials.map(({ cost }) => cost)),
    };
  });
}

/** The task × attempt grid, with each task's numbers beside it. */
export function createTasks() {
  const hasCost = index.trials.some(({ cost }) => cost !== null);
  const many = index.trials.some(({ attempt }) => attempt > 1);
  const named = (/** @type {string} */ word) => (many ? `Avg ${word}` : capitalize(word));
  /** @type {Column<Task>[]} */
  const columns = [
    { id: "task", head: "Task", value: ({ task }) => task, cell: ({ task }) => task },
    {
      id: "attempts",
      head: many ? "Attempts" : "Attempt",
      value: ({ trials, passed }) => passed * 1000 + trials.length,
      number: true,
      cell: ({ trials }) => el("div", { class: "cells" }, ...trials.map(drawCell)),
    },
    {
      id: "passed",
      head: "Passed",
      number: true,
      value: ({ value }) => value,
      cell: (task) =>
        el(
          "div",
          { class: "share" },
          el("span", {}, `${task.passed}/${task.of}`),
          drawInterval(task),
        ),
    },
    {
      id: "reward",
      head: "Reward",
      number: true,
      from: "wide",
      value: ({ mean_reward }) => mean_reward,
      cell: ({ mean_reward }) => formatNumber(mean_reward),
    },
    {
      id: "steps",
      head: named("steps"),
      number: true,
      from: "wide",
      value: ({ steps }) => steps,
      cell: ({ steps }) => formatTenths(steps),
    },
    {
      id: "time",
      head: named("time"),
      number: true,
      from: "wide",
      value: ({ seconds }) => seconds,
      cell: ({ seconds }) => formatTime(seconds),
    },
  ];
  if (hasCost)
    columns.push({
      id: "cost",
      head: named("cost"),
      number: true,
      from: "wide",
      value: ({ cost }) => cost,
      cell: ({ cost }) => formatCost(cost),
    });
  const table = createTable({
    caption: "Tasks and their attempts",
    word: "task",
    columns,
    sort: { id: "task", down: false },
  });
  table.element.classList.add("tasks");
  table.element.addEventListener("keydown", moveInGrid);
  table.element.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement && target.matches(".cell")) setTabStop(table.element, target);
  });
  return {
    element: table.element,
    /** @param {readonly Task[]} tasks */
    setRows(tasks) {
      table.setRows(tasks);
      setTabStop(table.element, table.element.querySelector(".cell"));
    },
  };
}

/** @param {string} word */
function capitalize(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** @param {Trial} trial */
function drawCell(trial) {
  const { outcome } = trial;
  const label = `${trial.trial}: ${wordsOf(outcome)}`;
  return el(
    "a",
    {
      class: `cell ${toneOf(outcome)}`,
      href: `#${encodeURIComponent(trial.trial)}`,
      "aria-label": label,
      title: label,
      tabindex: -1,
    },
    signOf(outcome),
  );
}

/**
 * The grid is one tab stop; the arrow keys move in it.
 * @param {Element} grid
 * @param {Element | null} cell
 */
function setTabStop(grid, cell) {
  for (const other of grid.querySelectorAll('.cell[tabindex="0"]'))
    other.setAttribute("tabindex", "-1");
  cell?.setAttribute("tabindex", "0");
}

/** @param {KeyboardEvent} event */
function moveInGrid(event) {
  const cell = event.target;
  if (!(cell instanceof HTMLElement) || !cell.matches(".cell")) return;
  const row = cell.closest("tr");
  const place = [...(cell.parentElement?.children ?? [])].indexOf(cell);
  /** @param {Element | null | undefined} other @param {number} at */
  const cellOf = (other, at) => [...(other?.querySelectorAll(".cell") ?? [])].at(at);
  /** @type {Record<string, () => Element | null | undefined>} */
  const moves = {
    ArrowLeft: () => cell.previousElementSibling,
    ArrowRight: () => cell.nextElementSibling,
    ArrowUp: () =>
      cellOf(row?.previousElementSibling, place) ?? cellOf(row?.previousElementSibling, -1),
    ArrowDown: () => cellOf(row?.nextElementSibling, place) ?? cellOf(row?.nextElementSibling, -1),
    Home: () => cellOf(row, 0),
    End: () => cellOf(row, -1),
  };
  const next = moves[event.key]?.();
  if (!(event.key in moves)) return;
  event.preventDefault();
  if (next instanceof HTMLElement) next.focus();
}
