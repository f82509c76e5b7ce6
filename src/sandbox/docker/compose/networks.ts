import { setTimeout } from "node:timers/promises";
import type Docker from "dockerode";
import { messageOf } from "../../../errors.js";
import type { Teardown } from "../../../process/index.js";
import type { Attachment, NetworkDefinition, Service } from "../../../task/index.js";
import type { ResourceLabels } from "../labels.js";
import { ignoreMissing } from "../missing.js";
import { INTERNAL_OPTIONS } from "../network-names.js";

const DEFAULT = "default";
/** Nothing listens there, in the container's own network. */
const NO_RESOLVER = "127.0.0.1";
/** Another trial of the same task may have the same addresses until it ends. */
const TAKEN = /overlap/i;
const TAKEN_POLL_MS = 500;

export interface NetworksPlan {
  resources: ResourceLabels;
  /** The file's own; the default one needn't be among them. */
  definitions: NetworkDefinition[];
  services: Service[];
  /** Without it services reach each other and nothing else. */
  internet: boolean;
  /** A network that stands for the default one. */
  gate: { network: string } | null;
}

/** Names on the engine, by the keys of the compose file. */
export type TrialNetworks = Map<string, string>;

/** Creates the networks of one trial that its machines use. */
export async function createNetworks(
  docker: Docker,
  { resources, definitions, services, internet, gate }: NetworksPlan,
  teardown: Teardown,
  signal: AbortSignal,
): Promise<TrialNetworks> {
  const networks: TrialNetworks = new Map();
  const used = services.flatMap(({ network }) =>
    network.mode === "networks" ? network.list.map((entry) => entry.network) : [],
  );
  // In one order for all, so that two trials with the same addresses don't wait for each other.
  for (const key of [...new Set(used)].sort()) {
    if (gate && key === DEFAULT) {
      networks.set(key, gate.network);
      continue;
    }
    const definition = definitions.find((each) => each.key === key);
    const name = `${resources.name}-net${key === DEFAULT ? "" : `-${key}`}`;
    networks.set(key, name);
    teardown.add(() => ignoreMissing(docker.getNetwork(name).remove()));
    await createOnce(docker, signal, {
      Name: name,
      Driver: "bridge",
      Internal: !internet || (definition?.internal ?? false),
      ...(internet ? {} : { Options: INTERNAL_OPTIONS }),
      EnableIPv6: definition?.ipv6 ?? false,
      Labels: resources.labels,
      ...(definition && definition.subnets.length > 0
        ? { IPAM: { Driver: "default", Config: definition.subnets as { [key: string]: string }[] } }
        : {}),
    });
  }
  return networks;
}

async function createOnce(
  docker: Docker,
  signal: AbortSignal,
  options: Docker.NetworkCreateOptions,
): Promise<void> {
  for (;;) {
    try {
      await docker.createNetwork(options);
      return;
    } catch (error) {
      if (!options.IPAM || !TAKEN.test(messageOf(error)) || signal.aborted) throw error;
      await setTimeout(TAKEN_POLL_MS, undefined, { signal });
    }
  }
}

/** Where a machine is attached: the engine's mode, and its place on each network. */
export interface Placement {
  mode: string;
  endpoints: [network: string, Docker.EndpointSettings][];
  /** No name but those of the networks may be looked up: a query can carry anything away. */
  isOffline?: boolean;
}

export function placeService(
  service: Pick<Service, "network" | "links">,
  networks: TrialNetworks,
  internet: boolean,
  containerOf: (service: string) => string,
): Placement {
  const { network, links } = service;
  if (network.mode === "service")
    return { mode: `container:${containerOf(network.service)}`, endpoints: [] };
  if (network.mode !== "networks") return { mode: internet ? network.mode : "none", endpoints: [] };
  const linked = links.map((link) => `${containerOf(link.service)}:${link.alias}`);
  const endpoints = network.list.map((entry): [string, Docker.EndpointSettings] => [
    networks.get(entry.network) as string,
    endpointOf(entry, linked),
  ]);
  return { mode: endpoints[0]?.[0] ?? "none", endpoints, isOffline: !internet };
}

/** The engine's options for it; all but the first network are joined before the start. */
export function placementOptions({ mode, endpoints: [first], isOffline }: Placement) {
  return {
    mode,
    dns: isOffline ? { Dns: [NO_RESOLVER] } : {},
    config: first ? { NetworkingConfig: { EndpointsConfig: { [first[0]]: first[1] } } } : {},
  };
}

export async function joinOthers(
  docker: Docker,
  container: string,
  { endpoints: [, ...others] }: Placement,
): Promise<void> {
  for (const [network, settings] of others)
    await docker
      .getNetwork(network)
      .connect({ Container: container, EndpointConfig: settings as never });
}

function endpointOf(entry: Attachment, links: string[]): Docker.EndpointSettings {
  const address = {
    ...(entry.ipv4 ? { IPv4Address: entry.ipv4 } : {}),
    ...(entry.ipv6 ? { IPv6Address: entry.ipv6 } : {}),
  };
  return {
    Aliases: entry.aliases,
    Links: links,
    ...(entry.mac ? { MacAddress: entry.mac } : {}),
    ...(Object.keys(address).length > 0 ? { IPAMConfig: address } : {}),
  } as Docker.EndpointSettings;
}
