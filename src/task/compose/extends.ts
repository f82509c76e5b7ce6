import { dirname, isAbsolute, resolve } from "node:path";
import type { Table } from "../fields.js";
import { unreadable } from "../text.js";
import type { Variables } from "./interpolate.js";
import { loadCompose } from "./load.js";
import { mergeService } from "./merge.js";

interface Place {
  file: string;
  variables: Variables;
  refused: string[];
}

/** Replaces each service that `extends` another one by the two together. */
export function applyExtends(services: Table, place: Place): Table {
  return Object.fromEntries(
    Object.keys(services).map((name) => [name, extended(name, services, place, [])]),
  );
}

function extended(name: string, services: Table, place: Place, path: string[]): unknown {
  const service = services[name];
  if (!isTable(service) || service.extends === undefined) return service;
  const { extends: from, ...own } = service;
  const field = `${place.file}: services.${name}.extends`;
  const id = `${place.file} ${name}`;
  if (path.includes(id)) throw unreadable(`${field} leads back to itself`);
  const { service: base, file } = (typeof from === "string" ? { service: from } : from) as Table;
  if (typeof base !== "string") throw unreadable(`${field} names no service`);
  const other = typeof file === "string" ? resolve(dirname(place.file), file) : place.file;
  const there = { ...place, file: other };
  const known = other === place.file ? services : servicesOf(there);
  if (!isTable(known[base]))
    throw unreadable(`${field} names ${base}, which isn't a service of ${other}`);
  const inherited = extended(base, known, there, [...path, id]) as Table;
  const dir = dirname(other);
  return mergeService(dir === dirname(place.file) ? inherited : rebase(inherited, dir), own);
}

function servicesOf(place: Place): Table {
  const { value } = loadCompose(place.file, place.variables, place.refused);
  const services = isTable(value) ? value.services : null;
  return isTable(services) ? services : {};
}

/** Makes the paths of a service absolute, which are relative to its own file. */
function rebase(service: Table, dir: string): Table {
  const absolute = (path: unknown) =>
    typeof path !== "string" || isAbsolute(path) || path.includes("://")
      ? path
      : resolve(dir, path);
  const { build, env_file: files, volumes } = service;
  const rebased = { ...service };
  if (typeof build === "string") rebased.build = absolute(build);
  else if (isTable(build)) rebased.build = { ...build, context: absolute(build.context ?? ".") };
  if (files !== undefined)
    rebased.env_file = [files]
      .flat()
      .map((file) => (isTable(file) ? { ...file, path: absolute(file.path) } : absolute(file)));
  if (Array.isArray(volumes))
    rebased.volumes = volumes.map((volume) => {
      if (isTable(volume))
        return volume.type === "bind" ? { ...volume, source: absolute(volume.source) } : volume;
      const [source = "", ...rest] = String(volume).split(":");
      return /^\.{1,2}(\/|$)/.test(source) ? [absolute(source), ...rest].join(":") : volume;
    });
  return rebased;
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
