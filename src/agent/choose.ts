import type { Agent } from "../interfaces/index.js";
import { nop, oracle } from "./builtin.js";
import { CommandAgent } from "./command-agent.js";
import type { AgentEnvironment } from "./environment.js";
import { resolveAgent } from "./resolve.js";

const BUILTIN = new Map<string, Agent>([
  ["oracle", oracle],
  ["nop", nop],
]);

/** Turns `--agent` into an agent, or throws before anything was started. */
export function chooseAgent(
  spec: string,
  environment: AgentEnvironment,
  redact: (text: string) => string,
): Agent {
  return BUILTIN.get(spec) ?? new CommandAgent(resolveAgent(spec), environment, redact);
}
