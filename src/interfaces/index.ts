/** The parts that a trial is made of. Each has several implementations; this is all they share. */
export type {
  Agent,
  AgentContext,
  AgentExit,
  AgentSession,
  Limits,
  Terminal,
  Turn,
  WorkEnd,
} from "./agent.js";
export type { Reporter } from "./reporter.js";
export type {
  Abilities,
  CommandResult,
  DownloadOptions,
  ExecOptions,
  FreshFolder,
  PrepareOptions,
  ProcessPlace,
  RunningProcess,
  RunOptions,
  Sandbox,
  SandboxProcess,
  SandboxProvider,
  SandboxRequest,
  SpawnOptions,
  TerminalSize,
  UploadOptions,
} from "./sandbox.js";
export type {
  Artifact,
  ComposeFile,
  Environment,
  FolderPart,
  Healthcheck,
  NetworkPolicy,
  RewardParser,
  Solution,
  Task,
  TaskOrigin,
  TaskPart,
  Verification,
} from "./task.js";
