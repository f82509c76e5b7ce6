import { TermRunError } from "../errors.js";
import type { SandboxKind } from "../events/records.js";
import type { SandboxProvider } from "../interfaces/index.js";
import { BubblewrapProvider, bubblewrapProblem } from "./bubblewrap/provider.js";
import { LocalProvider } from "./local/provider.js";

export const DEFAULT_IMAGE = "debian:bookworm-slim";
export const DEFAULT_OUTPUT_LIMIT = 100 * 1024;

export interface SandboxOptions {
  defaultImage: string;
  outputLimit: number;
}

const INSTALL_BWRAP =
  "bubblewrap: apt-get install bubblewrap, dnf install bubblewrap, or pacman -S bubblewrap";
const INSTALL_DOCKER = "Docker: start its engine, or set DOCKER_HOST to where it listens";

/** Finds the sandbox that was asked for; `auto` is Docker if an engine answers, else bubblewrap. */
export async function chooseSandbox(
  kind: SandboxKind | "auto",
  options: SandboxOptions,
): Promise<SandboxProvider> {
  if (kind === "local") {
    if (process.platform === "linux") return new LocalProvider(options);
    throw new TermRunError("sandbox_unavailable", "the local sandbox needs Linux (/proc)", {
      hint: "Use --sandbox docker.",
    });
  }
  let dockerReason = "";
  if (kind !== "bubblewrap") {
    const found = await connectDocker(options);
    if (found.provider) return found.provider;
    dockerReason = found.reason;
    if (kind === "docker")
      throw new TermRunError("sandbox_unavailable", `no Docker engine answers: ${dockerReason}`, {
        hint: INSTALL_DOCKER,
      });
  }
  const problem = await bubblewrapProblem();
  if (!problem) return new BubblewrapProvider(options);
  if (kind === "bubblewrap")
    throw new TermRunError("sandbox_unavailable", problem, { hint: `Install ${INSTALL_BWRAP}` });
  throw new TermRunError(
    "sandbox_unavailable",
    `there is no sandbox to run in: no Docker engine answers (${dockerReason}), and ${problem}`,
    { hint: `Install one of them.\n  ${INSTALL_DOCKER}\n  ${INSTALL_BWRAP}` },
  );
}

async function connectDocker(
  options: SandboxOptions,
): Promise<{ provider: SandboxProvider } | { provider: null; reason: string }> {
  // Loaded only when asked for: the client is most of the start-up time.
  const { connectEngine } = await import("./docker/engine.js");
  const { DockerProvider } = await import("./docker/provider.js");
  const engine = await connectEngine();
  if (engine.docker) return { provider: new DockerProvider(engine.docker, options) };
  return { provider: null, reason: engine.reason };
}
