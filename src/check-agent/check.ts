import PQueue from "p-queue";
import { type AgentCommand, type AgentEnvironment, limitVariables } from "../agent/index.js";
import type { Leash } from "../leash/index.js";
import { Watchdog } from "../process/index.js";
import { diagnose } from "./diagnose.js";
import { POINTS } from "./points/all.js";
import { judgePoint } from "./points/point.js";
import { runScenario } from "./run-scenario.js";
import { FURTHER, NOTHING_ASKED, PLAIN, type Scenario } from "./scenarios.js";
import { HELLO } from "./terminal.js";
import type { CheckReport, Evidence, Point, PointStatus, SessionRecord, Setup } from "./types.js";

const FORMAT_VERSION = 1;
const SESSIONS_AT_ONCE = 2;
/** As long as the runner gives an agent to clean up. */
const CLEANUP_MS = 5_000;
/** For an agent that is known not to end by itself. */
const SHORT_CLEANUP_MS = 1_000;

export interface CheckOptions {
  command: AgentCommand;
  environment: AgentEnvironment;
  /** null: the agent runs as any other process of the user. */
  leash: Leash | null;
  timeoutSec: number;
  instruction?: string | undefined;
  redact: (text: string) => string;
  signal: AbortSignal;
}

/** Has short conversations with an agent, and judges it point by point. */
export async function checkAgent(options: CheckOptions): Promise<CheckReport> {
  const { command, environment, timeoutSec, redact } = options;
  const started = performance.now();
  const watchdog = new Watchdog();
  const evidence = await gather({
    command,
    env: { ...environment.env, ...variablesFor(timeoutSec) },
    instruction: options.instruction ?? HELLO,
    timeoutMs: timeoutSec * 1000,
    cleanupMs: CLEANUP_MS,
    watchdog,
    leash: options.leash,
    signal: options.signal,
  }).finally(() => watchdog.dismiss());
  const points = POINTS.map((point) =>
    redactPoint(
      judgePoint(point, { ...evidence, timeoutSec, withheld: environment.withheld }),
      redact,
    ),
  );
  const totals = countStatuses(points);
  return {
    format_version: FORMAT_VERSION,
    agent: { name: command.name, command: [command.command, ...command.args].map(redact) },
    ok: totals.failed === 0,
    totals,
    duration_sec: Number(((performance.now() - started) / 1000).toFixed(3)),
    points,
  };
}

async function gather(setup: Setup): Promise<Omit<Evidence, "timeoutSec" | "withheld">> {
  const plain = await runScenario(PLAIN, setup);
  if (plain.exchanges[0]?.answer.kind === "response") {
    const cleanupMs = plain.exit ? CLEANUP_MS : SHORT_CLEANUP_MS;
    const further = await runAll(FURTHER, { ...setup, cleanupMs });
    return { plain, sessions: [plain, ...further], spilled: null, answersWithoutNulls: null };
  }
  const findings = await diagnose(plain, setup);
  return { plain, sessions: [plain, await runScenario(NOTHING_ASKED, setup)], ...findings };
}

async function runAll(scenarios: Scenario[], setup: Setup): Promise<SessionRecord[]> {
  const queue = new PQueue({ concurrency: SESSIONS_AT_ONCE });
  // A failure ends the other sessions too; the error is thrown once all of them have ended.
  const failure = new AbortController();
  const signal = AbortSignal.any([setup.signal, failure.signal]);
  const ends = await Promise.allSettled(
    scenarios.map((scenario) =>
      queue.add(async () => {
        try {
          const cleanupMs = scenario === NOTHING_ASKED ? CLEANUP_MS : setup.cleanupMs;
          return await runScenario(scenario, { ...setup, cleanupMs, signal });
        } catch (error) {
          failure.abort(error);
          throw error;
        }
      }),
    ),
  );
  return ends.map((end) => {
    if (end.status === "rejected") throw failure.signal.reason ?? end.reason;
    return end.value as SessionRecord;
  });
}

function variablesFor(stepTimeoutSec: number): Record<string, string> {
  const limits = { maxSteps: 100, stepTimeoutSec, commandTimeoutSec: 180 };
  return limitVariables({ taskName: "check-agent", attempt: 1, limits, timeoutSec: null });
}

function redactPoint(point: Point, redact: (text: string) => string): Point {
  return { ...point, seen: redact(point.seen) };
}

function countStatuses(points: Point[]): Record<PointStatus, number> {
  const totals = { passed: 0, warning: 0, failed: 0, not_seen: 0 };
  for (const { status } of points) totals[status]++;
  return totals;
}
