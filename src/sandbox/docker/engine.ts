import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import Docker from "dockerode";
import pTimeout from "p-timeout";
import { messageOf } from "../../errors.js";

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
export async function connectEngine(): Promise<{ docker: Docker } | { reason: string }> {
  const host = process.env.DOCKER_HOST;
  const places = host ? [host] : findSockets();
  let reason = "no Docker socket was found";
  for (const where of places) {
    try {
      const docker = host ? new Docker() : new Docker({ socketPath: where });
      await pTimeout(docker.ping(), {
        milliseconds: PING_DEADLINE_MS,
        message: `no answer within ${PING_DEADLINE_MS / 1000} s`,
      });
      return { docker };
    } catch (error) {
      reason = `${where}: ${messageOf(error)}`;
    }
  }
  return { reason };
}
