import { messageOf } from "../errors.js";
import { type ProcessRecord, secondsOf } from "../events/index.js";
import type { RunningProcess, Snapshot } from "../interfaces/index.js";
import { findAgentsFault } from "./blame.js";
import { awaitReady } from "./healthcheck.js";
import { clearForTests, type Look, type LookOptions, lookOnce } from "./look.js";
import type { Verdict } from "./types.js";

/** What a log says of processes, at most: an agent may leave thousands. */
const MAX_PROCESSES = 50;
const MAX_COMMAND = 300;
/**
 * How long tests may take the second time, which may wait for what isn't there any more: this many
 * times as long as the first time, and at least so many seconds.
 */
const AGAIN = { times: 4, leastSec: 30 };

interface VerifyOptions extends LookOptions {
  /** Verifies a pass again even if the agent left nothing running. */
  strict: boolean;
}

/**
 * Verifies what the agent left: its shell is gone, what it started is still running. A pass with
 * such processes alive is verified again on the files alone, as they were before the tests came.
 */
export async function verify(options: VerifyOptions): Promise<Verdict> {
  const { sandbox, strict, task, signal } = options;
  const began = performance.now();
  await clearForTests(options);
  // While no process of term-run's own runs, which would be taken for the agent's.
  const running = await sandbox.listProcesses();
  const isDoubtful = strict || task.verifier.sameShell || running.some((one) => one.isForeign);
  const snapshot = isDoubtful ? await sandbox.snapshot?.(signal) : undefined;
  try {
    options.emit({ type: "verifier_started", processes: describe(running) });
    const look = await lookOnce(options, running);
    options.emit({ type: "verifier_finished", ...describeLook(look, began) });
    if (!snapshot || !isPass(look.verdict)) return look.verdict;
    const mostSec = Math.max(AGAIN.leastSec, (AGAIN.times * look.result.durationMs) / 1000);
    const timeoutSec = Math.min(options.timeoutSec, mostSec);
    return { ...look.verdict, ...(await verifyAgain({ ...options, timeoutSec }, snapshot)) };
  } finally {
    await snapshot?.release();
  }
}

/** Verifies the files alone, in a fresh sandbox: nothing of the agent's has ever run there. */
export async function verifyFresh(options: LookOptions): Promise<Verdict> {
  const { sandbox, signal, emit } = options;
  const began = performance.now();
  await sandbox.endProcesses();
  const snapshot = await sandbox.snapshot?.(signal);
  try {
    emit({ type: "verifier_started", processes: [] });
    const look = snapshot
      ? await lookAt(snapshot, options)
      : await clearForTests(options).then(() => lookOnce(options, []));
    emit({ type: "verifier_finished", ...describeLook(look, began) });
    return look.verdict;
  } finally {
    await snapshot?.release();
  }
}

async function verifyAgain(
  options: VerifyOptions,
  snapshot: Snapshot,
): Promise<Pick<Verdict, "reliesOnProcesses">> {
  const began = performance.now();
  try {
    const logsDir = `${options.logsDir}-repeated`;
    const look = await lookAt(snapshot, { ...options, logsDir });
    options.emit({ type: "verifier_repeated", ...describeLook(look, began) });
    return { reliesOnProcesses: !isPass(look.verdict) };
  } catch (error) {
    const { sandbox, signal, emit } = options;
    emit({ type: "note", text: `the pass could not be verified again: ${messageOf(error)}` });
    // Doubt counts against an agent whose files keep a working machine from starting.
    return (await findAgentsFault(error, sandbox, signal)) ? { reliesOnProcesses: true } : {};
  }
}

async function lookAt(snapshot: Snapshot, options: LookOptions): Promise<Look> {
  const { task, signal } = options;
  const sandbox = await snapshot.open(signal);
  try {
    // What the agent broke fails in the tests, not here.
    await awaitReady(sandbox, task, signal).catch(() => signal.throwIfAborted());
    const own = { ...options, sandbox, isLast: true };
    await clearForTests(own);
    return await lookOnce(own, []);
  } finally {
    await sandbox.close();
  }
}

function isPass({ reward }: Verdict): boolean {
  return reward !== null && reward >= 1;
}

function describeLook({ verdict, result }: Look, began: number) {
  const { reward, rewards, error } = verdict;
  return {
    reward,
    rewards,
    error,
    exit_code: result.exitCode,
    output: result.output,
    duration_sec: secondsOf(performance.now() - began),
  };
}

function describe(running: RunningProcess[]): ProcessRecord[] {
  return running
    .filter(({ isForeign }) => isForeign)
    .slice(0, MAX_PROCESSES)
    .map(({ pid, command, ageSec }) => {
      return { pid, command: command.slice(0, MAX_COMMAND), age_sec: ageSec };
    });
}
