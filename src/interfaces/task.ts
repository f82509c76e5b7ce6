/** A folder: an instruction, an environment, a verifier, optionally a solution. */
export interface Task {
  name: string;
  dir: string;
  instruction: string;
  /** SHA-256 over everything that decides the score. */
  digest: string;
  metadata: Record<string, unknown>;
  /** null: no limit of its own; the limits on steps and commands still hold. */
  agentTimeoutSec: number | null;
  /** The user that the agent's commands run as; null: the image's own user. */
  agentUser: string | null;
  /** The network during the agent phase, where it differs from the environment's. */
  agentNetwork: NetworkPolicy | null;
  verifier: Verification;
  environment: Environment;
  solution: Solution | null;
  /** What to keep of the sandbox after the agent phase. */
  artifacts: Artifact[];
  /** The parts of a task with several, done in order in one sandbox; null for an ordinary task. */
  parts: { strategy: "mean" | "final"; list: TaskPart[] } | null;
  /** Problems that don't prevent a run: unknown fields and the like. */
  warnings: string[];
  /** Why no sandbox can honour this task as it is written, or null. */
  unsupported: string | null;
  /** If it comes from a dataset. */
  origin?: TaskOrigin;
}

/** What a dataset says about a task: enough to get the same one again. */
export interface TaskOrigin {
  /** `name@version`; null: the dataset has no name. */
  dataset: string | null;
  /** `sha256:…`, if one was given. */
  digest: string | null;
  /** The folder of a repository that it was fetched from. */
  git: { url: string; id: string; path: string } | null;
}

/** One part of a task with several: a task of its own in the sandbox that the others left. */
export interface TaskPart {
  /** Its own instruction, limits, verifier, solution and artifacts; the environment is shared. */
  task: Task;
  /** Copied into the working directory before it; a `setup.sh` in it is run. */
  filesDir: string | null;
  healthcheck: Healthcheck | null;
  /** Rewards that must be reached for the next part to begin. */
  minReward: Record<string, number> | null;
}

export interface Environment {
  /** `image`: a ready one; `build`: a Dockerfile; `portable`: any Linux with a shell. */
  source:
    | { kind: "image"; image: string }
    | { kind: "build"; contextDir: string; dockerfile?: string }
    | { kind: "portable" };
  /** Copied into the working directory before the agent starts. */
  filesDir: string | null;
  /** Services beside the sandbox. */
  compose: ComposeFile | null;
  buildTimeoutSec: number;
  cpus: number | null;
  memoryMb: number | null;
  storageMb: number | null;
  /** null: the task doesn't say. */
  network: NetworkPolicy | null;
  workdir: string | null;
  env: Record<string, string>;
  healthcheck: Healthcheck | null;
  /** Fewer privileges than the engine's default; the user can ask for it as well. */
  hardened: boolean;
}

export interface ComposeFile {
  file: string;
  /** The service that is the sandbox. */
  service: string;
  variables: Record<string, string>;
  /** Whether every service has to be running, or healthy where it can be, before the agent begins. */
  awaited: boolean;
}

export type NetworkPolicy =
  | { mode: "public" }
  | { mode: "none" }
  | { mode: "allowlist"; hosts: string[] };

export interface Healthcheck {
  command: string;
  intervalSec: number;
  timeoutSec: number;
  startPeriodSec: number;
  startIntervalSec: number;
  retries: number;
}

export interface Verification {
  timeoutSec: number;
  env: Record<string, string>;
  user: string | null;
  network: NetworkPolicy | null;
  /** What becomes /tests, later ones over earlier ones. */
  tests: FolderPart[];
  /** What is run in /tests, and how its result is read. */
  script: string;
  parser: RewardParser;
  /** A machine of its own to verify in; null: the agent's. */
  separate: Environment | null;
  /** Whether what the agent started lives on while the tests run. */
  processes: "keep" | "end";
  /** Whether they run in the shell that the agent worked in. */
  sameShell: boolean;
  /** Run before artifacts are collected. */
  collect: { command: string; service: string; timeoutSec: number; user: string | null }[];
}

/**
 * `reward`: a reward file; `exit-code`: the exit code where there is no such file; the others read
 * what the tests printed.
 */
export type RewardParser =
  | "reward"
  | "exit-code"
  | "pytest"
  | "swebench"
  | "sweperf"
  | "mlebench"
  | "swelancer";

export interface Solution {
  /** What becomes /solution; null when the commands need no files. */
  files: FolderPart | null;
  /**
   * A file of /solution that is run, as its first line says unless the format always runs bash; or
   * lines that are typed one after another.
   */
  run: { script: string; alwaysBash: boolean } | { commands: string[] };
  env: Record<string, string>;
}

/** A folder's contents, or only some of its entries. */
export interface FolderPart {
  dir: string;
  only: string[] | null;
}

export interface Artifact {
  source: string;
  destination: string | null;
  exclude: string[];
  service: string;
}
