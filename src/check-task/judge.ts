import type { Task } from "../interfaces/index.js";
import type { Evidence, Seen } from "./evidence.js";
import { broken, failed, listSome, notRun, passed, warned } from "./findings.js";
import type { Finding } from "./types.js";

const QUOTED = 300;

export function judgeReading(task: Task): Finding {
  const { warnings } = task;
  if (warnings.length === 0) return passed("every field is known and of the right type");
  return warned(
    warnings.join("; "),
    "Unknown fields have no effect, which is rarely what was intended.",
    "Fix or remove what is named here.",
  );
}

export function judgeOracle(task: Task, { oracle }: Evidence): Finding {
  if (!task.solution && !task.parts)
    return failed(
      "it has no solution",
      "Without one it isn't known whether the task can be solved and the verifier accepts it.",
      "Write solution/solve.sh, which does what the instruction asks for.",
    );
  const infra = infraOf(oracle);
  if (infra) return infra;
  const good = oracle.filter(({ result }) => result.outcome === "passed").length;
  if (good === oracle.length) return passed("its own solution gets the full reward");
  const bad = oracle.find(({ result }) => result.outcome !== "passed") as Seen;
  return failed(
    `${good === 1 ? "one of two trials with its own solution: " : ""}${describe(bad)}`,
    "The task can't be solved as written, or its verifier rejects a correct solution.",
    "Make solution/solve.sh do everything that the verifier checks; term-run try shows its output.",
  );
}

export function judgeNop({ nop }: Evidence): Finding {
  const infra = infraOf(nop);
  if (infra) return infra;
  const lucky = nop.find(({ result }) => result.outcome === "passed");
  if (lucky)
    return failed(
      "it passed although nothing was done",
      "Any agent would pass, whatever it does.",
      "Make the verifier check something that only the work can produce.",
    );
  const odd = nop.find(({ result }) => result.outcome !== "failed");
  if (odd)
    return failed(
      describe(odd),
      "When nothing was done, the verifier must give a reward: an error of its own isn't a score.",
      "Make the verifier handle missing files, and write a reward of 0.",
    );
  return passed(`nothing done: reward ${nop[0]?.result.reward}`);
}

/** The same work must get the same reward. */
export function judgeConsistency({ oracle, nop }: Evidence): Finding {
  if (infraOf([...oracle, ...nop])) return notRun("a trial had an infrastructure error");
  const pairs = { oracle, nop };
  const odd = Object.entries(pairs).flatMap(([agent, seen]) => {
    const verdicts = seen.map(verdictOf);
    return new Set(verdicts).size > 1 ? [`${agent}: ${verdicts.join(", then ")}`] : [];
  });
  if (odd.length === 0) return passed("two trials each of oracle and nop agree");
  return failed(
    odd.join("; "),
    "A score that depends on chance says nothing about an agent.",
    "Remove randomness, the clock and the network from verifier and solution: use fixed seeds, and wait for conditions instead of sleeping.",
  );
}

export function judgeHiding({ probe }: Evidence): Finding {
  const infra = infraOf(probe);
  if (infra) return infra;
  const found = probe
    .flatMap(({ printed }) => printed.split("\n"))
    .filter((line) => line.startsWith("/"));
  if (found.length === 0) return passed("the agent can see neither /tests nor /solution");
  return failed(
    `the agent can read ${listSome(found)}`,
    "An agent that can read the tests or the solution can pass without doing the work.",
    "Keep them out of the image and of environment/files: the runner uploads /tests after the agent has ended.",
  );
}

function infraOf(all: readonly Seen[]): Finding | null {
  const hit = all.find(({ result }) => result.outcome === "infra_error");
  return hit
    ? broken(hit.result.error?.message ?? "unknown", hit.result.error?.hint ?? null)
    : null;
}

function verdictOf({ result }: Seen): string {
  return result.reward === null ? result.outcome : `${result.outcome} (${result.reward})`;
}

/** How a trial ended, and the last line that was printed. */
function describe({ result, printed, verifierOutput }: Seen): string {
  const last = lastOf(verifierOutput);
  return [
    verdictOf({ result, printed, verifierOutput }),
    ...(result.error ? [result.error.message] : []),
    ...(last ? [`the verifier printed: ${last}`] : []),
    ...(!last && lastOf(printed) ? [`the solution printed: ${lastOf(printed)}`] : []),
  ].join("; ");
}

function lastOf(text: string): string {
  return text.trim().split("\n").at(-1)?.slice(0, QUOTED) ?? "";
}
