import { messageOf } from "../errors.js";
import { type Emit, secondsOf } from "../events/index.js";
import type { CommandResult, Limits, Sandbox, Terminal } from "../interfaces/index.js";
import { attachPerson, type Person } from "../sandbox/index.js";
import { WorkStopped } from "./work-stopped.js";

/** Node's timers can't wait longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** A shell's exit code for a program that it may not run. */
const REFUSED = 126;
/** A shell's exit code for a program that isn't there. */
const NOT_FOUND = 127;

/** Decides whether a command may run: null allows it, a text says why not. */
export type Approve = (command: string, signal: AbortSignal) => Promise<string | null>;

interface TerminalOptions {
  sandbox: Sandbox;
  limits: Pick<Limits, "maxSteps" | "commandTimeoutSec">;
  /** Milliseconds left of the turn. */
  timeLeft(): number;
  /** Asked before each command; without it everything runs. */
  approve?: Approve;
  emit: Emit;
  signal: AbortSignal;
}

/** The terminal of one turn: every command of every agent goes through it. */
export class SandboxTerminal implements Terminal {
  readonly #options: TerminalOptions;
  #steps = 0;
  /** Whether the current step may still run its command. */
  #open = false;

  constructor(options: TerminalOptions) {
    this.#options = options;
  }

  get cwd(): string {
    return this.#options.sandbox.cwd;
  }

  get steps(): number {
    return this.#steps;
  }

  beginStep(): number {
    const { limits, emit } = this.#options;
    this.#options.signal.throwIfAborted();
    if (this.#steps >= limits.maxSteps) throw WorkStopped.byMaxSteps(limits.maxSteps);
    this.#steps += 1;
    this.#open = true;
    emit({ type: "step_started", step: this.#steps, cwd: this.cwd, error: null });
    return this.#steps;
  }

  async run(command: string, options: { timeoutMs?: number } = {}): Promise<CommandResult> {
    const { limits, approve, emit, signal } = this.#options;
    if (!this.#open) this.beginStep();
    this.#open = false;
    const step = this.#steps;
    const reason = (await approve?.(command, signal)) ?? null;
    if (reason !== null) return this.#refuse(command, reason);
    if (this.#options.timeLeft() <= 0) throw WorkStopped.byTime();
    const own = options.timeoutMs ?? limits.commandTimeoutSec * 1000;
    const timeoutMs = Math.max(1, Math.min(own, this.#options.timeLeft(), MAX_TIMER_MS));
    emit({ type: "command_started", step, command });
    const result = await this.#execute(command, timeoutMs);
    emit({
      type: "command_finished",
      step,
      exit_code: result.exitCode,
      output: result.output,
      output_bytes: result.outputBytes,
      cut_bytes: result.cutBytes,
      timed_out: result.timedOut,
      shell_restarted: result.shellRestarted,
      cwd: result.cwd,
      duration_sec: secondsOf(result.durationMs),
    });
    return result;
  }

  /** What an agent did to its sandbox is its own: it sees that no shell starts, or it has failed. */
  async #execute(command: string, timeoutMs: number): Promise<CommandResult> {
    const { sandbox, signal } = this.#options;
    const began = performance.now();
    try {
      return await sandbox.run(command, { timeoutMs, signal });
    } catch (error) {
      signal.throwIfAborted();
      const fault = await sandbox.findFault();
      if (fault.by === "host") throw error;
      if (fault.isFinal) throw new WorkStopped("failed", fault.reason);
      const durationMs = performance.now() - began;
      return { ...this.#answer(`[term-run: ${messageOf(error)}]`, NOT_FOUND), durationMs };
    }
  }

  attach(person: Person): Promise<number | null> {
    const { sandbox, signal } = this.#options;
    return attachPerson(sandbox, person, signal);
  }

  #refuse(command: string, reason: string): CommandResult {
    this.#options.emit({ type: "command_refused", step: this.#steps, command, reason });
    return this.#answer(`[term-run: this command was not approved: ${reason}]`, REFUSED);
  }

  /** Instead of a command's result. */
  #answer(output: string, exitCode: number): CommandResult {
    return {
      output,
      outputBytes: Buffer.byteLength(output),
      cutBytes: 0,
      exitCode,
      timedOut: false,
      shellRestarted: false,
      durationMs: 0,
      cwd: this.cwd,
    };
  }
}
