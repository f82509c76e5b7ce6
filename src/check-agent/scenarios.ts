import { NOTHING, pretend, show } from "./terminal.js";
import type { ScenarioId, Shown } from "./types.js";

/** A conversation with a fresh process of the agent. If it never completes, stdin is closed. */
export interface Scenario {
  id: ScenarioId;
  maxSteps: number;
  /** Added to the instruction. */
  addition?: string;
  show(command: string, step: number): Shown;
  /** Steps whose request is sent a second time, with `error`. */
  askAgain?: number[];
}

const BIG_BYTES = 1024 * 1024;
const BIG_LINE = "All work and no play makes a long output. \u00e4\u4e16\ud83e\udd80\n";
const BIG = BIG_LINE.repeat(Math.ceil(BIG_BYTES / Buffer.byteLength(BIG_LINE)));

/** Each has broken a line reader, a decoder or a regular expression before. */
const STRANGE = [
  "Gr\u00fc\u00dfe, \u4e16\u754c, \u0645\u0631\u062d\u0628\u0627, \ud83e\udd80 \ud83d\udc69\u200d\ud83d\udcbb",
  "a line separator:\u2028and a next line:\u0085.",
  'quotes " and \\ and a brace }',
  "escapes: \u001b[31mred\u001b[0m \u0000 \u0007 \t \r",
].join("\n");

const FAILURES = [
  { output: "bash: no-such-program: command not found", code: 127 },
  { output: "", code: 1 },
  { output: "[term-run: the command did not end within 180 s and was killed]", code: 124 },
];

export const PLAIN: Scenario = { id: "plain", maxSteps: 10, show: pretend };

export const NOTHING_ASKED: Scenario = { id: "nothing_asked", maxSteps: 0, show: pretend };

/** Run once the plain conversation went well. */
export const FURTHER: Scenario[] = [
  NOTHING_ASKED,
  { id: "second_chance", maxSteps: 3, show: pretend, askAgain: [1, 2] },
  {
    id: "failures",
    maxSteps: 4,
    show: (command, step) => {
      const { output, code } = FAILURES[(step - 1) % FAILURES.length] ?? { output: "", code: 1 };
      return show(command, output, code);
    },
  },
  // As after an idle step.
  { id: "nulls", maxSteps: 2, show: () => NOTHING },
  {
    id: "unicode",
    maxSteps: 3,
    addition: "\n\nGr\u00fc\u00dfe an die \u4e16\u754c \ud83e\udd80, with a line separator:\u2028.",
    show: (command) => show(command, STRANGE, 0),
  },
  { id: "big_output", maxSteps: 3, show: (command) => show(command, BIG, 0) },
];
