import { endsOnEof, leavesNoChild, stopsAfterCompletion } from "./ending.js";
import { answersFirst, flushes, readsLines } from "./first-answer.js";
import type { PointDefinition } from "./point.js";
import { bigOutput, exitCodes, nullFields, secondChance, unicode } from "./robustness.js";
import { oneAnswer, oneObjectALine, onlyProtocol, validAnswers, waitsToBeAsked } from "./stdout.js";

/** In the order in which to fix them. */
export const POINTS: PointDefinition[] = [
  answersFirst,
  readsLines,
  flushes,
  oneObjectALine,
  onlyProtocol,
  validAnswers,
  waitsToBeAsked,
  oneAnswer,
  nullFields,
  unicode,
  bigOutput,
  exitCodes,
  secondChance,
  stopsAfterCompletion,
  endsOnEof,
  leavesNoChild,
];
