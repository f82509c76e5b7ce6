/** Runner → agent, one JSON line. Every field is always present, even if it is null. */
export interface StepRequest {
  instruction: string;
  step: number;
  last_command: string | null;
  output: string | null;
  exit_code: number | null;
  cwd: string;
  /** Only on a second chance: what was wrong with the previous answer. */
  error?: string;
}

interface Usage {
  model?: string | null;
  input_tokens?: number | null;
  output_tokens?: number | null;
  cost_usd?: number | null;
}

export interface ResponseData {
  usage?: Usage | null;
  [key: string]: unknown;
}

/** Agent → runner, after defaults were filled in. */
export interface StepResponse {
  command: string | null;
  task_complete: boolean;
  text: string | null;
  data: ResponseData | null;
  /** Fields the protocol doesn't know: kept for the log, otherwise ignored. */
  extra: Record<string, unknown>;
  /** Present when the answer was in the legacy Terminal-Bench form. */
  legacy?: LegacyCommand[];
}

export interface LegacyCommand {
  keystrokes: string;
  duration: number | null;
}
