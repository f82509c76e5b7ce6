/** `not_run`: it could not be seen, because something before it went wrong. */
export type PointStatus = "passed" | "warning" | "failed" | "infra_error" | "not_run";

export const POINTS = [
  { id: "reads", title: "reads" },
  { id: "builds", title: "builds" },
  { id: "oracle", title: "oracle passes" },
  { id: "nop", title: "nop fails" },
  { id: "same_twice", title: "same twice" },
  { id: "hidden", title: "tests hidden" },
  { id: "dockerfile", title: "Dockerfile" },
  { id: "names_files", title: "names files" },
] as const;
export type PointId = (typeof POINTS)[number]["id"];

/** What is found on a point. */
export interface Finding {
  status: PointStatus;
  seen: string;
  /** Why it matters; null when nothing is wrong. */
  reason: string | null;
  fix: string | null;
}

/** One thing that a task must get right, and whether it does. */
export interface Point extends Finding {
  id: PointId;
  title: string;
}

export type TaskStatus = "passed" | "failed" | "unreadable" | "infra_error" | "skipped";

export interface TaskReport {
  task: string;
  /** null: a dataset lists it, and it isn't there. */
  dir: string | null;
  status: TaskStatus;
  /** Why it was skipped. */
  skipped: string | null;
  points: Point[];
}

export interface CheckReport {
  format_version: number;
  sandbox: string;
  ok: boolean;
  totals: Record<TaskStatus | "warnings", number>;
  duration_sec: number;
  tasks: TaskReport[];
}

/** What is under way, for a line on the screen. */
export interface CheckProgress {
  done: number;
  of: number;
  /** Images or trials at this moment. */
  now: string[];
}
