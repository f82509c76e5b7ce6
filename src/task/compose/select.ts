import type { TermRunError } from "../../errors.js";
import type { Variables } from "./interpolate.js";
import type { Service } from "./project.js";
import type { ReadService } from "./service.js";

type Problem = (path: string[], text: string) => TermRunError;

/** The services that are started: those without a profile, of an active one, or needed by another. */
export function selectServices(
  all: ReadService[],
  mainName: string,
  variables: Variables,
  problem: Problem,
): { main: Service | null; others: Service[]; refused: string[] } {
  const active = (variables.COMPOSE_PROFILES ?? "").split(",").map((name) => name.trim());
  const known = new Map(all.map((each) => [each.service.name, each]));
  const chosen = new Set<string>();
  const add = (each: ReadService) => {
    const { name, dependsOn } = each.service;
    if (chosen.has(name)) return;
    chosen.add(name);
    for (const needed of dependsOn) {
      const other = known.get(needed.name);
      if (other && needed.required) add(other);
      else if (!other && needed.name !== mainName && needed.required)
        throw problem([name, "depends_on"], `names ${needed.name}, which isn't a service`);
    }
  };
  for (const each of all) {
    const { profiles, service, stopped } = each;
    const wanted = profiles.length === 0 || active.includes("*");
    if (service.name === mainName) add(each);
    else if (!stopped && (wanted || profiles.some((name) => active.includes(name)))) add(each);
  }
  const services = all
    .map(({ service }) => service)
    .filter(({ name }) => chosen.has(name))
    .map((service) => ({
      ...service,
      dependsOn: service.dependsOn.filter(({ name }) => chosen.has(name) || name === mainName),
    }));
  const others = services.filter(({ name }) => name !== mainName);
  for (const { name, image, build } of others)
    if (!image && !build) throw problem([name], "has neither an image nor a build");
  refuseCycles(services, problem);
  const refused = all.flatMap((each) => (chosen.has(each.service.name) ? each.refused : []));
  return { main: services.find(({ name }) => name === mainName) ?? null, others, refused };
}

function refuseCycles(services: Service[], problem: Problem): void {
  const done = new Set<string>();
  const visit = (name: string, path: string[]) => {
    if (path.includes(name))
      throw problem(
        [path[0] as string, "depends_on"],
        `leads back to itself: ${[...path.slice(path.indexOf(name)), name].join(" → ")}`,
      );
    if (done.has(name)) return;
    const service = services.find((each) => each.name === name);
    for (const needed of service?.dependsOn ?? []) visit(needed.name, [...path, name]);
    done.add(name);
  };
  for (const { name } of services) visit(name, []);
}
