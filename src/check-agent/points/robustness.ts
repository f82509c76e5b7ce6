import type { Evidence, Exchange, ScenarioId, SessionRecord } from "../types.js";
import {
  type Finding,
  failed,
  lastStderrLine,
  NO_FIRST_ANSWER,
  notSeen,
  type PointDefinition,
  passed,
  quote,
  seconds,
} from "./point.js";

export const nullFields: PointDefinition = {
  id: "null_fields",
  title: "survives null fields",
  reason: "`last_command`, `output` and `exit_code` are null on step 1 and after an idle step.",
  fix: "Check for null (None, nil) before comparing or slicing.",
  judge(evidence) {
    if (evidence.answersWithoutNulls)
      return failed(
        "it exits on a first request with nulls, but answers the same request without them",
      );
    const session = find(evidence, "nulls");
    if (!session) return NO_FIRST_ANSWER;
    return (
      findProblem(evidence, session) ??
      passed(session.exchanges.length > 1 ? "on step 1 and on step 2" : "on step 1")
    );
  },
};

export const unicode: PointDefinition = {
  id: "unicode",
  title: "survives unicode",
  reason: "Both directions are UTF-8, and a line ends at \\n only: U+2028 may appear within it.",
  fix: "Read and write UTF-8 whatever the locale says, and split at \\n only (node:readline also splits at U+2028).",
  judge(evidence) {
    const session = find(evidence, "unicode");
    if (!session) return NO_FIRST_ANSWER;
    const problem = findProblem(evidence, session);
    if (problem) return problem;
    const { exchanges } = session;
    const broken = exchanges.find(
      ({ answer }) => answer.kind === "response" && answer.raw.includes("\ufffd"),
    );
    if (broken) return failed(`the answer to step ${broken.request.step} is not UTF-8`);
    return passed(
      exchanges.length > 1 ? "in the instruction and in outputs" : "in the instruction",
    );
  },
};

export const bigOutput: PointDefinition = {
  id: "big_output",
  title: "survives an output of 1 MB",
  reason: "A request has no fixed length; --output-limit can let long outputs through.",
  fix: "Read whole lines whatever their size: no fixed buffer, and no limit in the line reader.",
  judge: (evidence) => judgeOutputs(evidence, "big_output", "an output of 1 MB"),
};

export const exitCodes: PointDefinition = {
  id: "exit_codes",
  title: "continues after a command fails",
  reason: "Commands fail all the time; an agent that exits when one does scores nothing.",
  fix: "Look at `exit_code` and `output`, and answer with the next command.",
  judge: (evidence) => judgeOutputs(evidence, "failures", "an exit code other than 0"),
};

export const secondChance: PointDefinition = {
  id: "second_chance",
  title: "takes a second chance",
  reason:
    "After an invalid answer the same request comes again, with a field `error`; nothing was run.",
  fix: "Answer a request that has `error` again: the same command, or a better one. Don't continue with the next step.",
  judge(evidence) {
    const session = find(evidence, "second_chance");
    if (!session) return NO_FIRST_ANSWER;
    const problem = findProblem(evidence, session);
    if (problem) return problem;
    const { exchanges } = session;
    const at = exchanges.findIndex(({ request }) => request.error !== undefined);
    const again = exchanges[at];
    if (!again) return describeMissing(session, "a second chance");
    if (!continued(evidence.plain, exchanges[at - 1], again))
      return passed(`answered again: ${rawOf(again)}`);
    if (isOutOfStep(evidence, session)) return OUT_OF_STEP;
    return failed(`asked again, it continued as if its first command had run: ${rawOf(again)}`);
  },
};

/** The answer to the repeated step 1 is what the agent usually says on step 2. */
function continued(plain: SessionRecord, first: Exchange | undefined, again: Exchange): boolean {
  const [one, two] = plain.exchanges.map(signature);
  return signature(first) === one && signature(again) === two && one !== two;
}

function signature(exchange: Exchange | undefined): string {
  if (exchange?.answer.kind !== "response") return "";
  const { command, task_complete } = exchange.answer.response;
  return JSON.stringify([command, task_complete]);
}

function judgeOutputs(evidence: Evidence, id: ScenarioId, what: string): Finding {
  const session = find(evidence, id);
  if (!session) return NO_FIRST_ANSWER;
  const problem = findProblem(evidence, session);
  if (problem) return problem;
  const shown = session.exchanges.filter(({ request }) => request.output !== null);
  if (shown.length === 0) return describeMissing(session, what);
  const slowest = Math.max(...shown.map(({ ms }) => ms));
  const times = shown.length === 1 ? "once" : `${shown.length} times`;
  return passed(`${times}, answered within ${seconds(slowest)}`);
}

function describeMissing(session: SessionRecord, what: string): Finding {
  const why = session.completed ? "it completed before" : "it asked for no command before";
  return notSeen(
    `${why} ${what} could be shown`,
    "Give it something to do that takes more steps: --instruction TEXT.",
  );
}

const OUT_OF_STEP = notSeen(
  "its answers were out of step with the requests, so this could not be judged",
  "Fix the points above first, then check again.",
);

/** A request that got no valid answer; null when all went well. */
function findProblem(evidence: Evidence, session: SessionRecord): Finding | null {
  for (const { request, answer, ms } of session.exchanges) {
    if (answer.kind === "response") continue;
    if (isOutOfStep(evidence, session)) return OUT_OF_STEP;
    const where = `on step ${request.step}${request.error === undefined ? "" : ", asked again,"}`;
    if (answer.kind === "silent") return failed(`${where} it gave no answer in ${seconds(ms)}`);
    if (answer.kind === "invalid")
      return failed(`${where} the answer is invalid: ${answer.problem}`);
    return failed(`${where} it ${answer.how}${lastStderrLine(session.stderr)}`);
  }
  return null;
}

/** After one answer too many, every later one is paired with the wrong request. */
function isOutOfStep({ plain }: Evidence, { exchanges }: SessionRecord): boolean {
  return plain.early.length > 0 || exchanges.some(({ extra }) => extra.length > 0);
}

function rawOf({ answer }: Exchange): string {
  return answer.kind === "response" ? quote(answer.raw) : "";
}

function find({ sessions }: Evidence, id: ScenarioId): SessionRecord | undefined {
  return sessions.find((session) => session.scenario === id);
}
