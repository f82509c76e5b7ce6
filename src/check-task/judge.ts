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
    "What isn't understood has no effect, which is seldom what was meant.",
    "Mend or remove what is named here.",
  );
}

export function judgeOracle(task: Task, { oracle }: Evidence): Finding {
  if (!task.solution && !task.parts)
    return failed(
      "it brings no solution",
      "Nobody knows whether it can be solved, or whether the verifier would see it.",
      "Write solution/solve.sh, which does what the instruction asks for.",
    );
  const infra = infraOf(oracle);
  if (infra) return infra;
  const good = oracle.filter(({ result }) => result.outcome === "passed").length;
  if (good === oracle.length) return passed("its own solution gets the full reward");
  const bad = oracle.find(({ result }) => result.outcome !== "passed") as Seen;
  return failed(
    `${good === 1 ? "of two trials with its own solution one: " : ""}${describe(bad)}`,
    "The task can't be solved as it stands, or its verifier doesn't see that it is.",
    "Make solution/solve.sh do all that the verifier looks for; term-run try shows what it says.",
  );
}

export function judgeNop({ nop }: Evidence): Finding {
  const infra = infraOf(nop);
  if (infra) return infra;
  const lucky = nop.find(({ result }) => result.outcome === "passed");
  if (lucky)
    return failed(
      "nothing was done, and it passed",
      "Any agent would pass, whatever it does.",
      "Let the verifier look for something that only the work can bring about.",
    );
  const odd = nop.find(({ result }) => result.outcome !== "failed");
  if (odd)
    return failed(
      describe(odd),
      "When nothing was done the verifier must say so: an error of its own is no score.",
      "Let the verifier cope with files that aren't there, and write a reward of 0.",
    );
  return passed(`nothing done: reward ${nop[0]?.result.reward}`);
}

/** The same work must get the same reward. */
export function judgeSameness({ oracle, nop }: Evidence): Finding {
  if (infraOf([...oracle, ...nop])) return notRun("a trial failed by the machine's fault");
  const pairs = { oracle, nop };
  const odd = Object.entries(pairs).flatMap(([agent, seen]) => {
    const verdicts = seen.map(verdictOf);
    return new Set(verdicts).size > 1 ? [`${agent}: ${verdicts.join(", then ")}`] : [];
  });
  if (odd.length === 0) return passed("two trials each of oracle and nop agree");
  return failed(
    odd.join("; "),
    "A score that depends on chance says nothing about an agent.",
    "Take chance, the clock and the network out of verifier and solution: fixed seeds, no sleeping for things to happen.",
  );
}

export function judgeHiding({ onlooker }: Evidence): Finding {
  const infra = infraOf(onlooker);
  if (infra) return infra;
  const found = onlooker
    .flatMap(({ printed }) => printed.split("\n"))
    .filter((line) => line.startsWith("/"));
  if (found.length === 0) return passed("neither /tests nor /solution is there for the agent");
  return failed(
    `the agent can read ${listSome(found)}`,
    "An agent that finds the tests or the solution needs no skill.",
    "Keep them out of the image and of environment/files: the runner brings /tests after the agent is gone.",
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

/** How a trial ended, and what was said last. */
function describe({ result, printed, verifierOutput }: Seen): string {
  const said = lastOf(verifierOutput);
  return [
    verdictOf({ result, printed, verifierOutput }),
    ...(result.error ? [result.error.message] : []),
    ...(said ? [`the verifier said: ${said}`] : []),
    ...(!said && lastOf(printed) ? [`the solution printed: ${lastOf(printed)}`] : []),
  ].join("; ");
}

function lastOf(text: string): string {
  return text.trim().split("\n").at(-1)?.slice(0, QUOTED) ?? "";
}
