import type { Judgement } from "../score/index.js";
import { countTasks, describeDetectable, describeDoubts, describeTasks } from "./comparison.js";
import { formatP, formatPoints } from "./comparison-format.js";
import { formatPercent, formatTries } from "./format.js";

/** How a run compares with its baseline, the verdict first. */
export function describeJudgement(judgement: Judgement, maxDrop: number | undefined): string[] {
  const { difference, test, tasks, detectable } = judgement;
  const evidence = `${formatPoints(difference.value)} on these tasks, ${formatP(test.p_value)}`;
  return [
    `baseline: ${describeVerdict(judgement, maxDrop)}: ${evidence}`,
    ...[
      `pass rate ${describeRate(judgement.baseline)} before, ${describeRate(judgement.candidate)} now`,
      countTasks(tasks),
      describeDetectable(detectable, "drop"),
      ...describeTasks(judgement),
      ...describeDoubts(judgement),
    ].map((line) => `  ${line}`),
  ];
}

function describeVerdict({ verdict, difference }: Judgement, maxDrop = 0): string {
  if (verdict === "significant") return "worse";
  if (verdict === "ok") return "no drop you can trust";
  return `${formatPoints(difference.value)}, and --max-drop allows ${formatPoints(-maxDrop)}`;
}

function describeRate({
  pass_rate: { value, passed, of },
  with_errors,
  not_scored,
  discarded_tries,
}: Judgement["baseline"]): string {
  const apart = Object.entries(not_scored).map(([outcome, count]) => `${count} ${outcome}`);
  const notes = [
    ...(apart.length > 0 ? [`not scored: ${apart.join(", ")}`] : []),
    ...(with_errors ? [`${formatPercent(with_errors.value)} % with errors as failures`] : []),
    ...(discarded_tries > 0 ? [`discarded: ${formatTries(discarded_tries)}`] : []),
  ];
  const share = `${formatPercent(value ?? 0)} % (${passed}/${of})`;
  return notes.length > 0 ? `${share} [${notes.join("; ")}]` : share;
}
