import type { Agent } from "../interfaces/index.js";
import { BUILTIN_AGENTS } from "./builtin/all.js";
import { CommandAgent } from "./command/agent.js";
import { resolveAgent } from "./command/resolve.js";
import type { AgentEnvironment } from "./environment.js";

export function isBuiltin(spec: string): boolean {
  return BUILTIN_AGENTS.has(spec);
}

/** Turns `--agent` into an agent, or throws before anything is started. */
export function findAgent(
  spec: string,
  environment: AgentEnvironment,
  /** The agent's working directory, and the base of relative paths. */
  cwd = process.cwd(),
): Agent {
  return BUILTIN_AGENTS.get(spec) ?? new CommandAgent(resolveAgent(spec, cwd), environment);
}
