import { fileURLToPath } from "node:url";
import { type AgentCommand, resolveAgent } from "../../src/agent/command/resolve.js";
import { filterEnvironment } from "../../src/agent/environment.js";
import { checkAgent } from "../../src/check-agent/check.js";
import type { CheckReport, Point, PointStatus } from "../../src/check-agent/types.js";
import type { Leash } from "../../src/leash/index.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export const brokenAgent = (name: string) => `${ROOT}tests/check-agent/agents/${name}`;
export const exampleAgent = (name: string) => `${ROOT}agents-examples/${name}`;

export interface Settings {
  leash?: Leash | null;
  env?: string[];
  timeoutSec?: number;
  instruction?: string;
  signal?: AbortSignal;
}

/** Checks an agent as the command does, in this process. */
export function check(agent: string, settings: Settings = {}): Promise<CheckReport> {
  return checkCommand(resolveAgent(agent), settings);
}

export function checkCommand(command: AgentCommand, settings: Settings = {}): Promise<CheckReport> {
  // If it were set, it would hide missing flushes.
  const { PYTHONUNBUFFERED: _, ...caller } = process.env;
  return checkAgent({
    command,
    leash: settings.leash ?? null,
    environment: filterEnvironment(caller, settings.env ?? []),
    timeoutSec: settings.timeoutSec ?? 30,
    instruction: settings.instruction,
    redact: (text) => text,
    signal: settings.signal ?? new AbortController().signal,
  });
}

export function pointsWith(report: CheckReport, status: PointStatus): string[] {
  return report.points.filter((point) => point.status === status).map(({ id }) => id);
}

export function pointOf(report: CheckReport, id: string): Point {
  const found = report.points.find((point) => point.id === id);
  if (!found) throw new Error(`there is no point ${id}`);
  return found;
}
