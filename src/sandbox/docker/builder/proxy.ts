import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type Docker from "dockerode";

const VARIABLES: Record<string, string> = {
  httpProxy: "HTTP_PROXY",
  httpsProxy: "HTTPS_PROXY",
  ftpProxy: "FTP_PROXY",
  noProxy: "NO_PROXY",
  allProxy: "ALL_PROXY",
};

/**
 * The build arguments that `docker build` adds: the `proxies` of Docker's own configuration. They
 * aren't part of the image, so its name doesn't depend on them.
 */
export async function readProxyArgs(docker: Docker): Promise<Record<string, string>> {
  const folder = process.env.DOCKER_CONFIG || join(homedir(), ".docker");
  const text = await readFile(join(folder, "config.json"), "utf8").catch(() => "{}");
  const proxies = parse(text).proxies ?? {};
  const own = proxies[hostOf(docker)] ?? proxies.default ?? {};
  return Object.fromEntries(
    Object.entries(VARIABLES).flatMap(([key, name]) => {
      const value = own[key];
      return value ? [name, name.toLowerCase()].map((variable) => [variable, value]) : [];
    }),
  );
}

interface DockerConfig {
  proxies?: Record<string, Record<string, string> | undefined>;
}

/** A configuration that can't be read is Docker's own concern. */
function parse(text: string): DockerConfig {
  try {
    return (JSON.parse(text) ?? {}) as DockerConfig;
  } catch {
    return {};
  }
}

function hostOf({ modem }: Docker): string {
  const { socketPath } = modem as { socketPath?: string };
  return process.env.DOCKER_HOST || `unix://${socketPath ?? "/var/run/docker.sock"}`;
}
