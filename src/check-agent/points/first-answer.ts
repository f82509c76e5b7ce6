import type { Evidence } from "../types.js";
import {
  describeInvalid,
  failed,
  lastStderrLine,
  NO_FIRST_ANSWER,
  notSeen,
  type PointDefinition,
  passed,
  seconds,
} from "./point.js";

const NOTHING_CAME = notSeen(
  "no answer came at all",
  "Fix the points above first, then check again.",
);

export const answersFirst: PointDefinition = {
  id: "answers_step_1",
  title: ({ timeoutSec }) => `answers step 1 within ${timeoutSec} s`,
  reason: "Without an answer to the first request the trial ends there.",
  fix: "Read one line from stdin, write one JSON object and a newline to stdout, and flush.",
  judge(evidence) {
    const { plain, timeoutSec, withheld } = evidence;
    const exchange = plain.exchanges[0];
    if (exchange?.answer.kind === "response") return passed(`answered in ${seconds(exchange.ms)}`);
    if (exchange?.answer.kind === "invalid")
      return failed(`the answer is invalid: ${describeInvalid(exchange.answer)}`);
    if (exchange?.answer.kind === "exited") {
      const kept =
        withheld.length === 0
          ? ""
          : ` Withheld from it: ${withheld.join(", ")} (pass one with --env NAME).`;
      return failed(`it ${exchange.answer.how}${lastStderrLine(plain.stderr)}`, {
        fix: `The end of its stderr shows the reason.${kept}`,
      });
    }
    if (plain.late.length > 0) return failed("the answer came only after stdin was closed");
    const gaveUp = (exchange?.ms ?? 0) < timeoutSec * 1000 - 500;
    return failed(
      gaveUp
        ? "it waits for more input instead of answering"
        : `no answer within ${timeoutSec} s (--timeout), nor after stdin was closed`,
    );
  },
};

export const readsLines: PointDefinition = {
  id: "reads_lines",
  title: "reads line by line",
  reason: "stdin stays open for the whole trial: a read until its end never returns.",
  fix: "Read a single line for each request: `for line in sys.stdin`, `while read -r line`, a line reader.",
  judge({ plain, spilled }) {
    if (answered(plain)) return passed("each request was answered while stdin stayed open");
    if (spilled === false)
      return failed("it answers only when stdin is closed, however much is sent");
    if (spilled) return passed("it takes requests while stdin stays open");
    return plain.formatProblems.unterminated
      ? passed("it wrote something while stdin stayed open")
      : NOTHING_CAME;
  },
};

export const flushes: PointDefinition = {
  id: "flushes",
  title: "flushes each answer",
  reason: "Many languages buffer stdout when it is a pipe; the answer stays in the buffer.",
  fix: "Flush after each answer: `print(…, flush=True)`, `fflush(stdout)`, `writer.Flush()`.",
  judge({ plain, spilled }) {
    if (answered(plain)) return passed("each answer came as soon as it was written");
    if (spilled) return failed("answers came only when its buffer was full, or when it ended");
    if (plain.formatProblems.unterminated) return passed("what it wrote arrived immediately");
    return spilled === false ? NO_FIRST_ANSWER : NOTHING_CAME;
  },
};

function answered(plain: Evidence["plain"]): boolean {
  const kind = plain.exchanges[0]?.answer.kind;
  return kind === "response" || (kind === "invalid" && !plain.formatProblems.unterminated);
}
