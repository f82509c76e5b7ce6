import type { Comparison } from "../score/index.js";
import { cleanLine } from "./text.js";

/** `+2.5 points`. */
export function formatPoints(share: number): string {
  const points = (Math.abs(share) * 100).toFixed(1);
  return `${signOf(share, points === "0.0")}${points} points`;
}

/** `p = 0.03`; never 0, which no p-value is. */
export function formatP(value: number): string {
  return value < 0.0001 ? "p < 0.0001" : `p = ${Number(value.toPrecision(2))}`;
}

export function signOf(value: number, isZero: boolean): string {
  if (isZero) return "±";
  return value < 0 ? "−" : "+";
}

/** The agents' names if they differ, else the runs' names. */
export function nameSides({ baseline, candidate }: Comparison): [string, string] {
  if (baseline.agent !== candidate.agent)
    return [cleanLine(baseline.agent), cleanLine(candidate.agent)];
  if (baseline.run !== candidate.run) return [cleanLine(baseline.run), cleanLine(candidate.run)];
  return ["the first run", "the second run"];
}

export function formatLevel(level: number): string {
  return String(Number((level * 100).toFixed(2)));
}
