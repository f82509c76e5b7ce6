import type { Verification } from "../submission/index.js";
import { formatCount, formatPercent } from "./format.js";
import type { Palette } from "./palette.js";
import { cleanLine } from "./text.js";

const MAX_PROBLEMS = 50;

/** What is wrong with a submission, or what it shows. */
export function describeVerification(
  { ok, problems, summary }: Verification,
  palette: Palette,
): string[] {
  if (!ok) {
    const shown = problems.slice(0, MAX_PROBLEMS);
    const rest = problems.length - shown.length;
    return [
      palette.red(`refused: ${formatCount(problems.length, "problem")}`),
      ...shown.map(
        ({ code, where, message }) => `  ${code}: ${cleanLine(where)}: ${cleanLine(message)}`,
      ),
      ...(rest > 0 ? [`  … ${rest} more`] : []),
    ];
  }
  const rate = summary?.pass_rate;
  const share = rate?.value == null ? "unknown" : `${formatPercent(rate.value)} %`;
  const counts = `${rate?.passed ?? 0}/${rate?.of ?? 0}`;
  return [
    palette.green("ok: complete, unaltered, and the logs give the same numbers"),
    `${cleanLine(summary?.agent ?? "")}: pass rate ${share} (${counts}), ` +
      `${formatCount(summary?.trials.finished ?? 0, "trial")} on ${formatCount(summary?.tasks.length ?? 0, "task")}`,
  ];
}
