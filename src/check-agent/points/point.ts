import type { Evidence, Point, PointStatus } from "../types.js";

export interface Finding {
  status: PointStatus;
  seen: string;
  /** Where the usual reason or fix doesn't fit. */
  reason?: string;
  fix?: string;
}

export interface PointDefinition {
  id: string;
  title: string | ((evidence: Evidence) => string);
  reason: string;
  fix: string;
  judge(evidence: Evidence): Finding;
}

export const passed = (seen: string): Finding => ({ status: "passed", seen });
export const failed = (seen: string, more: Partial<Finding> = {}): Finding => ({
  status: "failed",
  seen,
  ...more,
});
export const warned = (seen: string): Finding => ({ status: "warning", seen });

/** Nothing is wrong, as far as could be seen; the fix says how to see more. */
export const notSeen = (seen: string, fix: string): Finding => ({ status: "not_seen", seen, fix });

export function judgePoint(definition: PointDefinition, evidence: Evidence): Point {
  const { id, title, reason, fix, judge } = definition;
  const finding = judge(evidence);
  const fine = finding.status === "passed";
  return {
    id,
    title: typeof title === "string" ? title : title(evidence),
    status: finding.status,
    seen: finding.seen,
    reason: fine ? null : (finding.reason ?? reason),
    fix: fine ? null : (finding.fix ?? fix),
  };
}

export const NO_FIRST_ANSWER = notSeen(
  "step 1 got no answer, so this could not be checked",
  "Fix the points above first, then check again.",
);

const QUOTED = 80;

/** The beginning of what was written, in a line. */
export function quote(text: string | undefined): string {
  const line = (text ?? "").replace(/\s+/g, " ").trim();
  return line.length > QUOTED ? `${line.slice(0, QUOTED)}…` : line;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** What is wrong with an answer, and how it begins; after noise there is nothing to quote. */
export function describeInvalid({ problem, raw }: { problem: string; raw: string }): string {
  return raw === "" ? problem : `${problem}: ${quote(raw)}`;
}

/** The last line of stderr, where most languages say what went wrong; Node says it further up. */
export function lastStderrLine(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  const isNode = /^Node\.js v\d/.test(lines.at(-1) ?? "");
  const last = (isNode && lines.findLast((line) => /^\w*Error\b/.test(line))) || lines.at(-1);
  return last ? `; the last line of its stderr: ${quote(last)}` : "";
}
