import type { Agent } from "../../interfaces/index.js";
import { nop } from "./nop.js";
import { oracle } from "./oracle.js";

/** The agents that `--agent` knows by name. */
export const BUILTIN_AGENTS: ReadonlyMap<string, Agent> = new Map(
  [oracle, nop].map((agent) => [agent.name, agent]),
);
