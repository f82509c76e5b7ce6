export interface Rate {
  value: number | null;
  low: number | null;
  high: number | null;
  these_tasks?: { low: number; high: number } | null;
  passed: number;
  of: number;
}
export interface Trial {
  trial: string;
  task: string;
  attempt: number;
  outcome: string;
  reward: number | null;
  steps: number | null;
  seconds: number | null;
  durations: {
    total_sec: number;
    sandbox_sec: number;
    agent_sec: number;
    verifier_sec: number;
  } | null;
  tries: number | null;
  cost: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
  models: string[];
  reason: string;
  hint: string;
}
export interface IndexTask extends Rate {
  task: string;
  mean_reward: number | null;
}
export interface OutcomeTraits {
  outcome: string;
  sign: string;
  tone: "good" | "bad" | "broken" | "none";
  scored: boolean;
}
export interface Index {
  run: string;
  agent: string;
  started_at: string;
  sandbox: string;
  term_run: string;
  limits: Record<string, number>;
  grade_timeouts: boolean;
  datasets: string[];
  summary: {
    duration_sec: number;
    interrupted: boolean;
    trials: { planned: number; finished: number; scored: number };
    outcomes: Record<string, number>;
    pass_rate: Rate;
    with_errors: { value: number; passed: number; of: number } | null;
    discarded_tries: number;
    mean_reward: number | null;
    pass_at_k: { k: number; value: number | null; tasks: number }[];
    pass_hat_k: { k: number; value: number | null; tasks: number }[];
    usage: {
      models: string[];
      input_tokens: number;
      output_tokens: number;
      cost_usd: number | null;
    } | null;
    unreadable?: string[];
  };
  tasks: IndexTask[];
  outcomes: OutcomeTraits[];
  trials: Trial[];
}
export interface Command {
  started_at: string;
  exit_code: number | null;
  output: string;
  cut_bytes: number;
  timed_out: boolean;
  shell_restarted: boolean;
  duration_sec: number;
}
export interface Step {
  step: number;
  started_at: string;
  cwd: string;
  invalid: { problem: string; raw: string }[];
  text: string | null;
  command: string | null;
  task_complete: boolean;
  data: {
    usage?: {
      model?: string | null;
      input_tokens?: number | null;
      output_tokens?: number | null;
      cost_usd?: number | null;
    };
  } | null;
  thinking_sec: number;
  refused: string | null;
  ran: Command | null;
  stderr: string[];
  noise: string[];
  notes: string[];
}
export interface Story {
  trial: string;
  started_at: string | null;
  sandbox: { kind: string; id: string; image: string | null; duration_sec: number } | null;
  parts: Part[];
  stderr_left_out: number;
}
export interface Part {
  name: string | null;
  number: number;
  of: number;
  instruction: string | null;
  agent_command: string[] | null;
  stderr: string[];
  notes: string[];
  steps: Step[];
  end: {
    end: string;
    exit_code: number | null;
    signal: string | null;
    duration_sec: number;
  } | null;
  verifier: {
    output: string;
    exit_code: number | null;
    reward: number | null;
    error: string | null;
    duration_sec: number;
  } | null;
}
export interface Column<T> {
  id: string;
  head: string;
  /** Only on wider screens: "wide" is a tablet or larger. */
  from?: "wide";
  number?: boolean;
  value(row: T): string | number | null;
  cell(row: T): Node | string;
}
