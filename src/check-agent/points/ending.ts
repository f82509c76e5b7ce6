import type { SessionRecord } from "../types.js";
import {
  failed,
  NO_FIRST_ANSWER,
  notSeen,
  type PointDefinition,
  passed,
  quote,
  seconds,
} from "./point.js";

export const stopsAfterCompletion: PointDefinition = {
  id: "stops_after_completion",
  title: "stops after completion",
  reason:
    "After completion nothing more is read, and an agent that is still running 5 seconds later is killed.",
  fix: "After an answer with `task_complete: true` write nothing more, clean up and exit.",
  judge({ plain, sessions }) {
    if (plain.exchanges[0]?.answer.kind !== "response") return NO_FIRST_ANSWER;
    const completed = sessions.filter((session) => session.completed);
    if (completed.length === 0) return NEVER_COMPLETED;
    const more = completed.flatMap(writtenAfter)[0];
    if (more !== undefined) return failed(`it kept writing after completion: ${quote(more)}`);
    if (completed.some((session) => session.exit === null))
      return failed("it did not exit within 5 s after completion, and had to be killed");
    return passed(`exited in ${seconds(slowest(completed))}`);
  },
};

export const endsOnEof: PointDefinition = {
  id: "ends_on_eof",
  title: "ends when stdin is closed",
  reason:
    "When a trial is cut short, stdin is closed; an agent that keeps running is killed, and can't clean up.",
  fix: "Leave the loop at the end of input: an empty read is the end, not a line to wait for.",
  judge({ sessions }) {
    const cut = sessions.filter(({ completed, exchanges }) => !completed && !hasEnded(exchanges));
    if (cut.some((session) => session.exit === null))
      return failed("it did not exit within 5 s, and had to be killed");
    return cut.length > 0 ? passed(`exited in ${seconds(slowest(cut))}`) : NO_FIRST_ANSWER;
  },
};

export const leavesNoChild: PointDefinition = {
  id: "no_children",
  title: "leaves no process behind",
  reason:
    "Processes that are left running cost every later trial memory and time; term-run kills them.",
  fix: "End what was started and wait for it before exiting, also at the end of input.",
  judge({ sessions }) {
    const looked = sessions.flatMap(({ left }) => (left === null ? [] : [left]));
    const left = looked.flat()[0];
    if (left !== undefined) return failed(`still running after it exited: ${quote(left)}`);
    if (looked.length > 0) return passed(`nothing left after ${looked.length} sessions`);
    return process.platform === "linux"
      ? notSeen("it never exited by itself", "Fix the points above first, then check again.")
      : notSeen(
          "only Linux shows which processes an agent started",
          "Check on Linux, for example in CI.",
        );
  },
};

const NEVER_COMPLETED = notSeen(
  "it never completed",
  "Give it something that it can finish in 10 steps: --instruction TEXT.",
);

function hasEnded(exchanges: SessionRecord["exchanges"]): boolean {
  return exchanges.at(-1)?.answer.kind === "exited";
}

/** An agent that always answers twice does so on completion too: that is another point. */
function writtenAfter({ exchanges, late }: SessionRecord): string[] {
  const always = exchanges.slice(0, -1).some(({ extra }) => extra.length > 0);
  return always ? late : [...(exchanges.at(-1)?.extra ?? []), ...late];
}

function slowest(sessions: SessionRecord[]): number {
  return Math.max(...sessions.map(({ exit }) => exit?.ms ?? 0));
}
