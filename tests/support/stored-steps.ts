import type { UsageTotals } from "../../src/events/records.js";
import type { Emit } from "./stored-trial.js";

export interface StoredStep {
  text?: string | null;
  command?: string | null;
  output?: string;
  exit_code?: number;
  /** Reported by the agent, with tokens. */
  cost_usd?: number;
  tokens?: { input: number; output: number };
  complete?: boolean;
  stderr?: string[];
  invalid?: string;
  /** Why the command was refused. */
  refused?: string;
}

const MODEL = "model-x";
const TOKENS = { input: 100, output: 10 };

/** The events of steps 1 to n. */
export function emitSteps(steps: readonly StoredStep[], emit: Emit): void {
  for (const [place, step] of steps.entries()) emitStep(step, place + 1, emit);
}

/** What the agent reported in all steps; null when it reported nothing. */
export function usageOf(steps: readonly StoredStep[]): UsageTotals | null {
  const paid = steps.filter(({ cost_usd }) => cost_usd !== undefined);
  if (paid.length === 0) return null;
  const sum = (pick: (step: StoredStep) => number) =>
    paid.reduce((total, step) => total + pick(step), 0);
  return {
    models: [MODEL],
    input_tokens: sum(({ tokens = TOKENS }) => tokens.input),
    output_tokens: sum(({ tokens = TOKENS }) => tokens.output),
    cost_usd: sum(({ cost_usd = 0 }) => cost_usd),
  };
}

function emitStep(step: StoredStep, number: number, emit: Emit): void {
  emit({ type: "step_started", step: number, cwd: "/app", error: null });
  for (const text of step.stderr ?? []) emit({ type: "agent_stderr", text }, 1);
  if (step.invalid !== undefined) {
    const { invalid } = step;
    emit({ type: "response_invalid", step: number, problem: invalid, raw: "{", in_a_row: 1 });
    emit({ type: "step_started", step: number, cwd: "/app", error: invalid });
  }
  const { input, output } = step.tokens ?? TOKENS;
  const usage = { model: MODEL, input_tokens: input, output_tokens: output };
  emit(
    {
      type: "response",
      step: number,
      command: step.command ?? null,
      task_complete: step.complete ?? false,
      text: step.text ?? null,
      data: step.cost_usd === undefined ? null : { usage: { ...usage, cost_usd: step.cost_usd } },
      extra: {},
      duration_sec: 0.5,
    },
    500,
  );
  if (step.command != null) emitCommand(step, step.command, number, emit);
}

function emitCommand(step: StoredStep, command: string, number: number, emit: Emit): void {
  if (step.refused !== undefined) {
    emit({ type: "command_refused", step: number, command, reason: step.refused });
    return;
  }
  emit({ type: "command_started", step: number, command }, 1);
  const output = step.output ?? "";
  emit(
    {
      type: "command_finished",
      step: number,
      exit_code: step.exit_code ?? 0,
      output,
      output_bytes: Buffer.byteLength(output),
      cut_bytes: 0,
      timed_out: false,
      shell_restarted: false,
      cwd: "/app",
      duration_sec: 0.25,
    },
    250,
  );
}
