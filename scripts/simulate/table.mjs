/**
 * @typedef {object} Cell
 * @property {number} value
 * @property {number} [low] the lowest of the populations
 * @property {number} [high] the highest of them
 *
 * @typedef {object} Table
 * @property {string} title
 * @property {number[]} columns attempts
 * @property {{ tasks: number, cells: (Cell | null)[] }[]} rows
 * @property {(tasks: number, attempts: number) => [low: number, high: number] | null} limits of the values
 * @property {number} rounds
 */

/** Prints a table as Markdown, and returns what is outside its limits. @param {Table} table */
export function printTable({ title, columns, rows, limits, rounds }) {
  console.log(`\n### ${title}\n`);
  console.log(`| tasks | ${columns.map((n) => `${n} attempt${n === 1 ? "" : "s"}`).join(" | ")} |`);
  console.log(`|---:|${columns.map(() => "---:|").join("")}`);
  const problems = [];
  for (const { tasks, cells } of rows) {
    console.log(`| ${tasks} | ${cells.map(show).join(" | ")} |`);
    for (const [index, cell] of cells.entries()) {
      const attempts = columns[index] ?? 0;
      const [low, high] = limits(tasks, attempts) ?? [0, 100];
      // Three standard errors of the simulation itself.
      const slack = 300 * Math.sqrt(0.05 / rounds);
      if (cell && (cell.value < low - slack || cell.value > high + slack))
        problems.push(`${title}: ${tasks} × ${attempts}: ${cell.value.toFixed(1)} %`);
    }
  }
  return problems;
}

/** @param {Cell | null} cell */
function show(cell) {
  if (!cell) return "";
  const { value, low, high } = cell;
  if (low === undefined || high === undefined) return value.toFixed(1);
  return `${value.toFixed(1)} (${low.toFixed(0)}–${high.toFixed(0)})`;
}

/**
 * The cells of a table: the average over populations, and its range.
 * @template P
 * @param {{ title: string, tasks: number[], attempts: number[], populations: P[], rounds: number }} options
 * @param {(population: P, tasks: number, attempts: number) => boolean | null} happens once
 * @param {Table["limits"]} limits
 * @returns {Table}
 */
export function fillTable({ title, tasks, attempts, populations, rounds }, happens, limits) {
  const rows = tasks.map((count) => ({
    tasks: count,
    cells: attempts.map((number) => {
      const shares = populations.map((population) => {
        let times = 0;
        for (let round = 0; round < rounds; round += 1) {
          const happened = happens(population, count, number);
          if (happened === null) return null;
          if (happened) times += 1;
        }
        return (100 * times) / rounds;
      });
      const known = shares.filter((share) => share !== null);
      if (known.length === 0) return null;
      const value = known.reduce((sum, share) => sum + share, 0) / known.length;
      if (known.length === 1) return { value };
      return { value, low: Math.min(...known), high: Math.max(...known) };
    }),
  }));
  return { title, columns: attempts, rows, limits, rounds };
}
