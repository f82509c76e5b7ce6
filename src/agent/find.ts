import type { Agent } from "../interfaces/index.js";
import { BUILTIN_AGENTS } from "./builtin/all.js";
import { CommandAgent } from "./command/agent.js";
import { resolveAgent } from "./command/resolve.js";
import type { AgentEnvironment } from "./environment.js";

/** Turns `--agent` into an agent, or throws before anything is started. */
export function findAgent(
  spec: string,
  environment: AgentEnvironment,
  /** Where the agent starts, and relative paths begin. */
  cwd = process.cwd(),
): Agent {
  return BUILTIN_AGENTS.get(spec) ?? new CommandAgent(resolveAgent(spec, cwd), environment);
}
