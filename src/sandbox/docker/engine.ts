import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import Docker from "dockerode";
import { withDeadline } from "../../process/deadline.js";

const PING_DEADLINE_MS = 3_000;

/** Where engines listen when DOCKER_HOST doesn't say: system, rootless, Docker Desktop, Colima. */
function findSockets(): string[] {
  const runtime = process.env.XDG_RUNTIME_DIR;
  return [
    "/var/run/docker.sock",
    ...(runtime ? [join(runtime, "docker.sock")] : []),
    join(homedir(), ".docker/run/docker.sock"),
    join(homedir(), ".colima/default/docker.sock"),
  ].filter((path) => existsSync(path));
}

/** Connects to the first engine that answers. */
export async function connectEngine(): Promise<
  { docker: Docker; where: string } | { docker: null; reason: string }
> {
  const host = process.env.DOCKER_HOST;
  const places = host ? [host] : findSockets();
  let reason = "no Docker socket was found";
  for (const where of places) {
    const docker = host ? new Docker() : new Docker({ socketPath: where });
    try {
      await withDeadline(docker.ping(), PING_DEADLINE_MS);
      return { docker, where };
    } catch (error) {
      reason = `${where}: ${error instanceof Error ? error.message : error}`;
    }
  }
  return { docker: null, reason };
}
