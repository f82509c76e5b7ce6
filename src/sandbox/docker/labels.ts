import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import type Docker from "dockerode";
import type { SandboxRequest } from "../../interfaces/index.js";
import { quote } from "../../shell-words.js";

const RUN_LABEL = "term-run.run";
const TRIAL_LABEL = "term-run.trial";
const SANDBOX_LABEL = "term-run.sandbox";
const REMOVE_SCRIPT = fileURLToPath(new URL("./remove-sandbox.mjs", import.meta.url));

/** How the engine's resources of one sandbox are named and labelled. */
export interface ResourceLabels {
  name: string;
  labels: Record<string, string>;
  /** Called when everything is removed, or is to be kept. */
  release(): void;
}

/** From here on, whatever has the labels is removed if this process is killed. */
export function labelResources(
  docker: Docker,
  { run, trial, watchdog }: Pick<SandboxRequest, "run" | "trial" | "watchdog">,
): ResourceLabels {
  const readable = trial.replace(/[^a-zA-Z0-9_.-]+/g, "-").slice(0, 60);
  const name = `term-run-${readable}-${randomBytes(4).toString("hex")}`;
  watchdog.watchCommand(name, removeCommand(docker, `${SANDBOX_LABEL}=${name}`));
  return {
    name,
    labels: { [RUN_LABEL]: run, [TRIAL_LABEL]: trial, [SANDBOX_LABEL]: name },
    release: () => watchdog.releaseCommand(name),
  };
}

/** The shell command that removes everything after the runner has died. */
function removeCommand(docker: Docker, label: string): string {
  const { socketPath } = docker.modem as unknown as { socketPath?: string };
  const where = process.env.DOCKER_HOST || !socketPath ? "null" : JSON.stringify({ socketPath });
  const variables = Object.entries(process.env)
    .filter(([key]) => key.startsWith("DOCKER_"))
    .map(([key, value]) => `${key}=${quote(value ?? "")}`);
  const words = [process.execPath, REMOVE_SCRIPT, label, where].map(quote);
  return ["exec env", ...variables, ...words].join(" ");
}
