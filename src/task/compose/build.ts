import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Fields } from "../fields.js";
import type { Build } from "./project.js";
import type { Scope } from "./scope.js";
import { flag, hosts, pairs, text } from "./values.js";

/** They change how it is built, not what. */
const HARMLESS = [
  "cache_from",
  "cache_to",
  "labels",
  "no_cache",
  "provenance",
  "pull",
  "sbom",
  "tags",
];
const REFUSED = [
  "additional_contexts",
  "dockerfile_inline",
  "entitlements",
  "isolation",
  "platforms",
  "secrets",
  "shm_size",
  "ssh",
  "ulimits",
];

export function readBuild(service: Fields, { dir, variables, refused }: Scope): Build | null {
  if (!service.has("build")) return null;
  const raw = service.raw("build");
  const build =
    typeof raw === "string" ? service.derived("build", { context: raw }) : service.table("build");
  build.ignore(...HARMLESS);
  for (const key of REFUSED)
    if (build.has(key)) refused.push(build.warning(key, "is not supported"));
  if (flag(build, "privileged"))
    refused.push(build.warning("privileged", "would give it all power over this machine"));
  const context = text(build, "context") ?? ".";
  if (/^[a-z]+:\/\/|^git@/.test(context))
    refused.push(build.warning("context", "is fetched from elsewhere, which is not supported"));
  else if (!existsSync(resolve(dir, context)))
    throw build.problem("context", `is ${context}, which doesn't exist`);
  const args = pairs(build, "args").map(([name, value]): [string, string | undefined] => [
    name,
    value ?? variables[name],
  ]);
  return {
    contextDir: resolve(dir, context),
    dockerfile: text(build, "dockerfile") ?? "Dockerfile",
    args: Object.fromEntries(
      args.filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    target: text(build, "target"),
    network: text(build, "network"),
    extraHosts: hosts(build, "extra_hosts"),
  };
}
