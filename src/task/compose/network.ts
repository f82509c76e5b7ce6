import type { Fields } from "../fields.js";
import type { Attachment, Service, ServiceNetwork } from "./project.js";
import type { Scope } from "./scope.js";
import { number, pairs, strings, tables, text } from "./values.js";

const DEFAULT = "default";

export function readNetwork(name: string, fields: Fields, scope: Scope): ServiceNetwork {
  const mode = text(fields, "network_mode");
  if (mode === null) return { mode: "networks", list: readAttachments(name, fields, scope) };
  if (fields.has("networks"))
    throw fields.problem("network_mode", "can't be combined with networks");
  const [, service] = /^service:(.+)$/.exec(mode) ?? [];
  if (service !== undefined) return { mode: "service", service };
  if (mode === "none" || mode === "bridge") return { mode };
  scope.refused.push(
    fields.warning(
      "network_mode",
      `"${mode}" would put it on ${outside(mode)}: trials must be isolated`,
    ),
  );
  return { mode: "none" };
}

function outside(mode: string): string {
  if (mode === "host") return "this machine's own network";
  return mode.startsWith("container:") ? "the network of a container outside" : "a network outside";
}

function readAttachments(name: string, fields: Fields, scope: Scope): Attachment[] {
  const alias = text(fields, "container_name");
  const mac = text(fields, "mac_address");
  const own = [name, ...(alias === null ? [] : [alias])];
  const known = new Set([DEFAULT, ...scope.networks.map(({ key }) => key)]);
  const list = tables(fields, "networks").map(([network, entry]) => {
    if (!known.has(network))
      throw fields.problem("networks", `names ${network}, which isn't one of the file's networks`);
    entry.ignore("gw_priority");
    for (const key of ["driver_opts", "interface_name", "link_local_ips"])
      if (entry.has(key) && (key === "interface_name" || pairs(entry, key).length > 0))
        scope.refused.push(entry.warning(key, "is not supported"));
    const address = text(entry, "mac_address");
    return {
      network,
      priority: number(entry, "priority") ?? 0,
      aliases: [...own, ...strings(entry, "aliases")],
      ipv4: text(entry, "ipv4_address"),
      ipv6: text(entry, "ipv6_address"),
      mac: address ?? mac,
    };
  });
  if (list.length === 0) return [{ network: DEFAULT, aliases: own, ipv4: null, ipv6: null, mac }];
  // As Compose orders them.
  list.sort((a, b) => b.priority - a.priority || (a.network < b.network ? -1 : 1));
  return list.map(({ priority, ...attachment }) => attachment);
}

export function readLinks(fields: Fields): Service["links"] {
  return strings(fields, "links").map((link) => {
    const [service = "", alias = service] = link.split(":");
    return { service, alias };
  });
}
