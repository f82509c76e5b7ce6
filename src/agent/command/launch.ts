import { randomBytes } from "node:crypto";
import type { Leash } from "../../leash/index.js";
import { MARKER_VARIABLE, type Watchdog } from "../../process/index.js";
import { launchLeashed } from "./launch-leashed.js";
import { launchPlain } from "./launch-plain.js";
import type { LaunchedAgent } from "./launched.js";
import type { AgentCommand } from "./resolve.js";

export interface LaunchOptions {
  command: AgentCommand;
  env: Record<string, string>;
  /** null: it runs as any other process of the user. */
  leash: Leash | null;
  watchdog: Watchdog;
}

/** Starts an agent with pipes, and registers it with the watchdog. */
export function launchAgent({ command, env, leash, watchdog }: LaunchOptions): LaunchedAgent {
  /** So that every process of the agent can be found. */
  const marker = randomBytes(12).toString("hex");
  // Before the start, so that the agent is found even if this process dies in between.
  watchdog.watchMarked(marker);
  const program = { ...command, env: { ...env, [MARKER_VARIABLE]: marker } };
  return leash
    ? launchLeashed(program, marker, { leash, watchdog })
    : launchPlain(program, marker, watchdog);
}
