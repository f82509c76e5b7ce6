import type { OpenedKind } from "../opened-kind.js";
import type { ProviderOptions } from "../provider-options.js";
import { connectEngine } from "./engine.js";
import { DockerProvider } from "./provider.js";

export async function openDocker(options: ProviderOptions): Promise<OpenedKind> {
  const engine = await connectEngine();
  if ("docker" in engine) return { provider: new DockerProvider(engine.docker, options) };
  const isConfigured = Boolean(process.env.DOCKER_HOST);
  return {
    reason: `no Docker engine answers (${engine.reason})`,
    hint: isConfigured
      ? "Docker: start the engine that DOCKER_HOST names, set DOCKER_HOST to where it listens, or unset it"
      : "Docker: start its engine, or set DOCKER_HOST to where it listens",
    isConfigured,
  };
}
