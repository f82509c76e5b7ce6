import type { SessionRecord } from "../types.js";
import {
  describeInvalid,
  failed,
  NO_FIRST_ANSWER,
  type PointDefinition,
  passed,
  quote,
  warned,
} from "./point.js";

export const oneObjectALine: PointDefinition = {
  id: "one_object_a_line",
  title: "one object per line",
  reason: "Other readers of the protocol take each line for an answer; term-run joins the lines.",
  fix: "Write the object without line breaks, and a newline after it.",
  judge({ plain, sessions }) {
    const formatProblems = sessions.map((session) => session.formatProblems);
    const crowded = formatProblems.flatMap((problems) => problems.crowded)[0];
    if (crowded !== undefined)
      return failed(`several objects on one line: ${quote(crowded)}`, {
        reason: "The second object is taken for the answer to the next request.",
      });
    if (plain.formatProblems.unterminated)
      return failed("what it wrote doesn't end with a newline", {
        reason: "Without the newline it isn't clear that the answer is complete.",
      });
    const spread = formatProblems.flatMap((problems) => problems.spread);
    if (spread.length > 0) return warned(`an answer on several lines: ${quote(spread[0])}`);
    const count = sessions.flatMap(answersOf).length;
    return count > 0 ? passed(`${count} answers, each on one line`) : NO_FIRST_ANSWER;
  },
};

export const onlyProtocol: PointDefinition = {
  id: "only_protocol",
  title: "nothing but answers on stdout",
  reason: "Noise is skipped where possible, and otherwise taken for an invalid answer.",
  fix: "Send banners, logs and progress to stderr: `print(…, file=sys.stderr)`, `console.error`, `>&2`.",
  judge({ sessions }) {
    const noise = sessions.flatMap((session) => session.formatProblems.noise);
    if (noise.length > 0) return failed(`this is not a JSON object: ${quote(noise[0])}`);
    return passed("nothing else was written");
  },
};

export const validAnswers: PointDefinition = {
  id: "valid_answers",
  title: "answers fit the protocol",
  reason: "An invalid answer is asked for again; three in a row end the trial.",
  fix: "`command` and `text` are strings or null, `task_complete` is true or false, `data` is an object or null.",
  judge({ sessions }) {
    const answers = sessions.flatMap((session) =>
      session.exchanges.map((exchange) => exchange.answer),
    );
    for (const answer of answers)
      if (answer.kind === "invalid") return failed(describeInvalid(answer));
    let count = 0;
    for (const answer of answers) {
      if (answer.kind !== "response") continue;
      count++;
      const { command, task_complete, text, data, extra } = answer.response;
      const unknown = Object.keys(extra).filter((field) => !/^(analysis|plan)$/.test(field));
      if (
        command === null &&
        !task_complete &&
        text === null &&
        data === null &&
        unknown.length > 0
      )
        return {
          status: "warning",
          seen: `only unknown fields, which have no effect: ${quote(answer.raw)}`,
          reason:
            "An answer with neither command nor completion is an idle step; three end the trial.",
          fix: "Name the fields `command` and `task_complete`.",
        };
    }
    return count > 0 ? passed(`${count} valid answers`) : NO_FIRST_ANSWER;
  },
};

export const waitsToBeAsked: PointDefinition = {
  id: "waits_to_be_asked",
  title: "waits to be asked",
  reason:
    "What is written early counts as the answer to the next request: the agent is a step ahead from then on.",
  fix: "Read a request first, then write its answer; write nothing at the start.",
  judge({ sessions }) {
    const early = sessions.flatMap((session) => session.early);
    if (early.length > 0) return failed(`before the first request: ${quote(early[0])}`);
    return passed("nothing came before the first request");
  },
};

export const oneAnswer: PointDefinition = {
  id: "one_answer",
  title: "one answer for each request",
  reason:
    "A second object counts as the answer to the next request: the agent is a step ahead from then on.",
  fix: "Write exactly one object for each request; put what you want to say into its `text`.",
  judge({ plain, sessions }) {
    // After an early answer only the first session, which waits longest, shows which is which.
    const clear = plain.early.length > 0 ? [plain] : sessions;
    for (const { exchanges } of clear)
      for (const { request, extra } of exchanges)
        if (extra.length > 0)
          return failed(
            `a second answer came after the one to step ${request.step}: ${quote(extra[0])}`,
          );
    return sessions.some((session) => answersOf(session).length > 0)
      ? passed("never a second one")
      : NO_FIRST_ANSWER;
  },
};

function answersOf(session: SessionRecord): SessionRecord["exchanges"] {
  return session.exchanges.filter(({ answer }) => answer.kind === "response");
}
