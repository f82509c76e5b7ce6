/** How a metric that a dataset declares compares to the score of a run here. */
const COMPARED: Record<string, string> = {
  mean: "which is the mean reward here, except that infrastructure errors don't count as 0 here",
  sum: "which is the mean reward times the scored trials here",
  min: "which isn't computed: see the rewards in each result.json",
  max: "which isn't computed: see the rewards in each result.json",
};
const OWN_PROGRAM = "which is a program and isn't run: compare the mean reward";

export function describeMetrics(dataset: string, metrics: readonly string[]): string[] {
  return metrics.map(
    (metric) => `${dataset} declares the metric ${metric}, ${COMPARED[metric] ?? OWN_PROGRAM}`,
  );
}
