import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parse } from "yaml";
import { messageOf, TermRunError } from "../../../errors.js";
import type { Environment } from "../../../interfaces/index.js";
import type { Raw } from "./fields.js";
import { interpolate } from "./interpolate.js";
import { readService, type Service } from "./service.js";

export interface ComposeProject {
  /** The service that is the sandbox; null when the file only adds others. */
  main: Service | null;
  /** The others, in an order in which each comes after what it depends on. */
  others: Service[];
}

const TOP_LEVEL = new Set(["services", "volumes", "networks", "version", "name"]);

/** Reads a task's compose file; what can't be honoured is an error that names it. */
export function readCompose(compose: NonNullable<Environment["compose"]>): ComposeProject {
  const { file } = compose;
  try {
    const text = interpolate(readFileSync(file, "utf8"), { ...process.env, ...compose.variables });
    const root = (parse(text, { merge: true }) ?? {}) as Raw;
    for (const key of Object.keys(root))
      if (!TOP_LEVEL.has(key) && !key.startsWith("x-"))
        throw new Error(`"${key}" is not supported`);
    const dir = dirname(resolve(file));
    const services = Object.entries((root.services ?? {}) as Record<string, Raw>)
      .filter(([, raw]) => raw !== null)
      .map(([name, raw]) => readService(name, raw, dir));
    const main = services.find(({ name }) => name === compose.service) ?? null;
    return {
      main,
      others: inOrder(
        services.filter((service) => service !== main),
        compose.service,
      ),
    };
  } catch (error) {
    throw new TermRunError("infra", `${file}: ${messageOf(error)}`, { cause: error });
  }
}

function inOrder(services: Service[], main: string): Service[] {
  const sorted: Service[] = [];
  const visit = (service: Service, path: string[]) => {
    if (sorted.includes(service)) return;
    if (path.includes(service.name))
      throw new Error(`services depend on each other: ${[...path, service.name].join(" → ")}`);
    for (const { name } of service.dependsOn) {
      const needed = services.find((other) => other.name === name);
      if (needed) visit(needed, [...path, service.name]);
      else if (name !== main)
        throw new Error(`${service.name} depends on "${name}", which doesn't exist`);
    }
    sorted.push(service);
  };
  for (const service of services) visit(service, []);
  return sorted;
}
