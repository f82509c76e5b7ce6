import { type Command, InvalidArgumentError } from "commander";
import { TermRunError } from "../errors.js";
import { FORMAT_VERSION, readRun } from "../events/index.js";
import { createPalette, describePlan, type PlanReport } from "../report/index.js";
import {
  type Assumptions,
  assumeNoise,
  findDetectable,
  planTasks,
  readPilot,
} from "../score/index.js";
import { EXIT } from "./exit-codes.js";
import { probability, share, wholeNumber } from "./options.js";

interface PlanFlags {
  detect: number;
  pilot?: string;
  rate?: number;
  tasks?: number;
  attempts?: number;
  power: number;
  alpha: number;
  json?: boolean;
}

const PLAIN_COLUMNS = 100;
const ATTEMPTS = [1, 2, 3, 5, 10];
const PLOTTED = [1, 3, 5];
const PLOT_POINTS = 30;

const EXAMPLES = `
Examples:
  term-run plan --detect 5 --pilot runs/main       what it takes to notice a drop of 5 points
  term-run plan --detect 5 --rate 70%              the same, without an earlier run
  term-run plan --detect 5 --rate 70% --tasks 80   and what 80 tasks can show
  term-run plan --detect 5 --rate 70% --json | jq '.needed[] | {attempts, baseline}'

A pilot with several attempts also shows how much attempts at the same task vary; otherwise
that is assumed to be half of all variance.

Exit codes: 0 done; 2 bad usage.`;

/** \`term-run plan --detect 5\`: how many tasks and attempts does a change need? */
export function addPlanCommand(program: Command, exit: (code: number) => void): void {
  program
    .command("plan")
    .description("say how many tasks and attempts show a change")
    .requiredOption("--detect <points>", "the change to find, in points of the pass rate", points)
    .option("--pilot <folder>", "an earlier run to take the pass rate and the noise from")
    .option("--rate <share>", "the pass rate, without a pilot", share)
    .option("--tasks <n>", "also show what this number of tasks can find", wholeNumber(1))
    .option("-n, --attempts <n>", "only this number of trials for each task", wholeNumber(1))
    .option("--power <share>", "how often the change is to be found", share, 0.8)
    .option("--alpha <p>", "how often chance may be taken for a change", probability, 0.05)
    .option("--json", "print one JSON document, nothing else")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: PlanFlags) => exit(await plan(flags)));
}

async function plan(flags: PlanFlags): Promise<number> {
  const { detect, tasks } = flags;
  const { given, source } = await readAssumptions(flags);
  if (detect >= given.rate)
    throw new TermRunError("usage", "--detect must be smaller than the pass rate");
  const attempts = flags.attempts === undefined ? ATTEMPTS : [flags.attempts];
  const needed = attempts.map((count) => planTasks(detect, count, given));
  const found =
    tasks === undefined ? [] : attempts.map((count) => findDetectable(tasks, count, given));
  const { stdout } = process;
  if (flags.json) {
    const document = { format_version: FORMAT_VERSION, detect, ...given, source, needed, found };
    stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    return EXIT.ok;
  }
  const curve = drawCurve(flags, given, needed);
  const report: PlanReport = { detect, given, source, needed, found, curve };
  const palette = createPalette(stdout.isTTY === true);
  stdout.write(`${describePlan(report, stdout.columns ?? PLAIN_COLUMNS, palette).join("\n")}\n`);
  return EXIT.ok;
}

async function readAssumptions(
  flags: PlanFlags,
): Promise<{ given: Assumptions; source: PlanReport["source"] }> {
  const { pilot, rate, power, alpha } = flags;
  if ((pilot === undefined) === (rate === undefined))
    throw new TermRunError("usage", "give either --pilot or --rate", {
      hint: "--pilot takes the pass rate from an earlier run; --rate 70% assumes one.",
    });
  if (!(power > 0 && power < 1))
    throw new TermRunError("usage", "--power must be above 0 and below 100 %");
  const seen = pilot === undefined ? null : readPilot((await readRun(pilot)).results);
  const known = seen?.rate ?? rate;
  if (known === undefined)
    throw new TermRunError("usage", `${pilot} has no scored trial`, {
      hint: "Use --rate instead.",
    });
  const noise = seen?.noise ?? null;
  return {
    given: { rate: known, noise: assumeNoise(noise), power, alpha },
    source: {
      rate: seen ? "of the pilot" : "as given",
      noise: noise === null ? "assumed" : "of the pilot",
    },
  };
}

function drawCurve(flags: PlanFlags, given: Assumptions, needed: PlanReport["needed"]) {
  const attempts = flags.attempts === undefined ? PLOTTED : [flags.attempts];
  const enough = Math.max(...needed.map(({ baseline }) => baseline ?? 0), flags.tasks ?? 0);
  const most = Math.ceil(Math.max(enough, PLOT_POINTS) / PLOT_POINTS) * PLOT_POINTS;
  const steps = Array.from({ length: PLOT_POINTS }, (_, step) => ((step + 1) * most) / PLOT_POINTS);
  return attempts.flatMap((count) => steps.map((tasks) => findDetectable(tasks, count, given)));
}

/** `5` or `5%`: points of the pass rate. */
function points(text: string): number {
  const value = Number(text.replace(/%$/, "")) / 100;
  if (!(value > 0 && value < 1) || text.trim() === "")
    throw new InvalidArgumentError(
      "It must be a number of points above 0 and below 100, such as 5.",
    );
  return value;
}
