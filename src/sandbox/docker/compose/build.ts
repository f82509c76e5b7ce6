import { resolve } from "node:path";
import { list, type Raw, readMap, text } from "./fields.js";

export interface Build {
  contextDir: string;
  /** Below the context, or beside it. */
  dockerfile: string;
  args: Record<string, string>;
  target: string | null;
  /** "host", "none", or a network's name; null is the engine's default. */
  network: string | null;
  /** `name:address`, as `docker build --add-host` takes them. */
  extraHosts: string[];
}

/** What only Compose's own builder can do. */
const REFUSED = ["additional_contexts", "dockerfile_inline", "entitlements", "secrets", "ssh"];

export function readBuild(raw: unknown, dir: string): Build | null {
  if (raw === undefined || raw === null) return null;
  const fields = (typeof raw === "string" ? { context: raw } : raw) as Raw;
  for (const key of REFUSED)
    if (fields[key] !== undefined) throw new Error(`build.${key} is not supported`);
  const context = text(fields.context) ?? ".";
  if (/^(\w+:\/\/|git@|github\.com\/)/.test(context))
    throw new Error(`build.context "${context}" is not a folder, which is not supported`);
  return {
    contextDir: resolve(dir, context),
    dockerfile: text(fields.dockerfile) ?? "Dockerfile",
    args: readMap(fields.args),
    target: text(fields.target),
    network: text(fields.network),
    extraHosts: readHosts(fields.extra_hosts),
  };
}

/** A mapping, whose values may be lists, or a list of `name=address` or `name:address`. */
function readHosts(raw: unknown): string[] {
  if (raw === undefined || raw === null) return [];
  const pairs = Array.isArray(raw)
    ? raw.map((entry): [string, string] => {
        const [, name = "", address = ""] = /^([^=:]+)[=:](.*)$/.exec(String(entry)) ?? [];
        return [name, address];
      })
    : Object.entries(raw as Raw).flatMap(([name, addresses]) =>
        list(addresses).map((address): [string, string] => [name, String(address)]),
      );
  return pairs.map(([name, address]) => `${name.trim()}:${address.trim().replace(/^\[|\]$/g, "")}`);
}
