import { resolve } from "node:path";
import type { Fields } from "../fields.js";
import type { NetworkDefinition } from "./project.js";
import { flag, pairs, tables, text } from "./values.js";

/** What the sections beside `services` define. */
export interface Resources {
  networks: NetworkDefinition[];
  volumes: Record<string, string>;
  secrets: Record<string, Source>;
  configs: Record<string, Source>;
}

/** Where a secret or config comes from. */
type Source =
  | { kind: "file"; file: string }
  | { kind: "content"; content: string }
  | { kind: "environment"; variable: string }
  | { kind: "refused" };

export function readResources(root: Fields, dir: string, refused: string[]): Resources {
  const secrets = tables(root, "secrets").map(([key, fields]) => [
    key,
    readSource(fields, dir, refused),
  ]);
  const configs = tables(root, "configs").map(([key, fields]) => [
    key,
    readSource(fields, dir, refused),
  ]);
  return {
    networks: tables(root, "networks").map(([key, fields]) => readNetwork(key, fields, refused)),
    volumes: Object.fromEntries(
      tables(root, "volumes").map(([key, fields]) => [key, readVolume(key, fields, refused)]),
    ),
    secrets: Object.fromEntries(secrets),
    configs: Object.fromEntries(configs),
  };
}

/** Two keys with the same `name` are the same volume. */
function readVolume(key: string, fields: Fields, refused: string[]): string {
  fields.ignore("labels");
  refuseExternal(fields, refused);
  refuseOthers(fields, "driver", ["local"], refused);
  if (pairs(fields, "driver_opts").length > 0)
    refused.push(fields.warning("driver_opts", "is not supported: volumes belong to one trial"));
  return text(fields, "name") ?? key;
}

function readNetwork(key: string, fields: Fields, refused: string[]): NetworkDefinition {
  fields.ignore("labels", "attachable", "name", "enable_ipv4");
  refuseExternal(fields, refused);
  refuseOthers(fields, "driver", ["bridge", "default"], refused);
  if (pairs(fields, "driver_opts").length > 0)
    refused.push(
      fields.warning("driver_opts", "is not supported: it is for this machine's bridges"),
    );
  const ipam = fields.table("ipam");
  refuseOthers(ipam, "driver", ["default"], refused);
  if (pairs(ipam, "options").length > 0) refused.push(ipam.warning("options", "is not supported"));
  return {
    key,
    internal: flag(fields, "internal"),
    ipv6: flag(fields, "enable_ipv6"),
    subnets: ipam.tables("config").map((config) => {
      config.ignore("aux_addresses");
      const given = {
        Subnet: text(config, "subnet"),
        IPRange: text(config, "ip_range"),
        Gateway: text(config, "gateway"),
      };
      return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    }),
  };
}

function readSource(fields: Fields, dir: string, refused: string[]): Source {
  fields.ignore("labels", "name");
  for (const key of ["driver", "driver_opts", "template_driver"])
    if (fields.has(key)) refused.push(fields.warning(key, "is not supported"));
  if (refuseExternal(fields, refused)) return { kind: "refused" };
  const file = text(fields, "file");
  const variable = text(fields, "environment");
  const content = fields.raw("content");
  if (file !== null) return { kind: "file", file: resolve(dir, file) };
  if (variable !== null) return { kind: "environment", variable };
  if (content !== undefined) return { kind: "content", content: String(content) };
  throw fields.problem([], "has neither a file nor another source");
}

function refuseExternal(fields: Fields, refused: string[]): boolean {
  const external = fields.raw("external");
  const isExternal = external !== undefined && external !== false && external !== "false";
  if (isExternal)
    refused.push(fields.warning("external", "is not supported: a trial has nothing from outside"));
  return isExternal;
}

function refuseOthers(fields: Fields, key: string, known: string[], refused: string[]): void {
  const value = text(fields, key);
  if (value !== null && !known.includes(value))
    refused.push(fields.warning(key, `"${value}" is not supported`));
}
