import type { Leaderboard } from "../../score/index.js";
import { formatCount } from "../format.js";
import { cleanLine } from "../text.js";

interface Note {
  text: string;
  isDoubt: boolean;
}

/** Notes for the reader: how ranks are assigned, who is left out, which runs don't fit together. */
export function describeNotes({
  entries,
  tasks,
  left_out,
  mixed,
  min_attempts,
}: Leaderboard): Note[] {
  const count = `${formatCount(entries.length, "agent")} on ${formatCount(tasks.length, "task")}`;
  const attempts = `at least ${formatCount(min_attempts, "scored trial")} of each`;
  return [
    { text: `${count}, ${attempts}`, isDoubt: false },
    {
      text: "agents share a rank if their intervals overlap with the best one's; the earliest comes first",
      isDoubt: false,
    },
    ...left_out.map(({ agent, runs, reason }) => ({
      text: `left out: ${cleanLine(agent)} (${cleanLine(runs.join(", "))}): ${reason}`,
      isDoubt: true,
    })),
    ...mixed.map((difference) => ({ text: `mixed: ${cleanLine(difference)}`, isDoubt: true })),
  ];
}
