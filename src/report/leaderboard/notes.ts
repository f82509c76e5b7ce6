import type { Board, Leaderboard } from "../../score/index.js";
import { formatCount } from "../format.js";
import { cleanLine } from "../text.js";

export interface Note {
  text: string;
  isDoubt: boolean;
}

/** `Board 2: 40 tasks`; null where there is only one. */
export function nameBoard({ boards }: Leaderboard, board: Board): string | null {
  if (boards.length < 2) return null;
  return `Board ${boards.indexOf(board) + 1}: ${formatCount(board.tasks.length, "task")}`;
}

/** Notes for the reader of one table: who is left out, which runs don't fit together. */
export function describeBoard(
  { entries, tasks, left_out, differs, mixed }: Board,
  { min_attempts }: Leaderboard,
): Note[] {
  const count = `${formatCount(entries.length, "agent")} on ${formatCount(tasks.length, "task")}`;
  const attempts = `at least ${formatCount(min_attempts, "scored trial")} of each`;
  return [
    { text: `${count}, ${attempts}`, isDoubt: false },
    ...differs.map((text) => ({ text: `ranked apart: ${cleanLine(text)}`, isDoubt: false })),
    ...left_out.map(({ agent, runs, reason }) => ({
      text: `left out: ${cleanLine(agent)} (${cleanLine(runs.join(", "))}): ${reason}`,
      isDoubt: true,
    })),
    ...mixed.map((difference) => ({ text: `mixed: ${cleanLine(difference)}`, isDoubt: true })),
  ];
}

/** Notes for the reader of the whole page. */
export function describeNotes({ duplicates, builtin, boards }: Leaderboard): Note[] {
  const ranked = boards.some(({ entries }) => entries.length > 1);
  const rule = "a rank such as 1–2 is a range: tests can't tell which place it is";
  return [
    ...(ranked ? [{ text: rule, isDoubt: false }] : []),
    ...(boards.some(({ entries }) => entries.some(({ with_errors }) => with_errors))
      ? [{ text: "with errors: infrastructure errors counted as failures", isDoubt: false }]
      : []),
    ...duplicates.map((run) => ({
      text: `given more than once, counted once: ${cleanLine(run)}`,
      isDoubt: true,
    })),
    ...(builtin.length > 0
      ? [
          {
            text: `left out: ${formatCount(builtin.length, "run")} of built-in agents`,
            isDoubt: false,
          },
        ]
      : []),
  ];
}
