import type { RunRecord } from "../events/index.js";
import { compareRules } from "../score/index.js";

/** The first rule in which two runs differ, so that their results can't be added up. */
export function findDifference(
  one: RunRecord,
  other: RunRecord,
): { what: string; one: string; other: string } | null {
  if (one.agent.spec !== other.agent.spec)
    return { what: "the agent", one: one.agent.spec, other: other.agent.spec };
  // A newer term-run may resume a run of an older one.
  const found = compareRules(one, other).find(({ name }) => name !== "term_run");
  return found ? { what: found.name, one: found.values[0], other: found.values[1] } : null;
}
