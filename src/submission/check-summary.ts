import type { Event, RunRecord, RunSummary, TrialResult } from "../events/index.js";
import { summarize } from "../score/index.js";
import { describeDifference, findDifference } from "./difference.js";
import type { Problem } from "./problem.js";

/** Whether the totals are those of the results, as the logs give them. */
export function checkSummary(
  record: RunRecord,
  stated: RunSummary,
  rescored: readonly TrialResult[],
  log: readonly Event[],
): Problem[] {
  const actual = summarize({
    run: record.run,
    agent: record.agent.name,
    startedAt: stated.started_at,
    finishedAt: stated.finished_at,
    interrupted: false,
    planned: record.trials.length,
    results: rescored,
    tasks: record.tasks ?? [],
    unreadable: record.unreadable,
  });
  const problems: Problem[] = [];
  const difference = findDifference(stated, actual);
  if (difference)
    problems.push(
      wrong("summary.json", `${describeDifference(difference)} according to the trials' logs`),
    );
  const ends = log.filter((event) => event.type === "run_finished");
  const logged = findDifference(stated, ends.at(-1)?.summary);
  if (logged)
    problems.push(wrong("summary.json", `${describeDifference(logged)} in the run's log`));
  return problems;
}

function wrong(where: string, message: string): Problem {
  return { code: "score", where, message };
}
