import type Docker from "dockerode";
import type { Build } from "../../../task/index.js";
import { readProxyArgs } from "./proxy.js";

/** What both builders are told in the same way. */
export async function buildOptions(docker: Docker, image: string, build: Build): Promise<object> {
  const { args, target, network, extraHosts } = build;
  // Builders mix the two spellings of a proxy's variable.
  const given = new Set(Object.keys(args).map((name) => name.toLowerCase()));
  const proxies = Object.entries(await readProxyArgs(docker)).filter(
    ([name]) => !given.has(name.toLowerCase()),
  );
  return {
    t: image,
    buildargs: { ...Object.fromEntries(proxies), ...args },
    rm: true,
    forcerm: true,
    ...(target ? { target } : {}),
    ...(network ? { networkmode: network } : {}),
    ...(extraHosts.length > 0 ? { extrahosts: extraHosts } : {}),
  };
}
