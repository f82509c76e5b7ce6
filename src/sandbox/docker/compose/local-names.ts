import type { Layout } from "../layout.js";

/** What a resolver can be asked for. */
const NAME = /^[a-z0-9_.-]{1,253}$/;

/** The names that what is on a trial's network has there. */
export function localNamesOf({
  mainService,
  services,
}: Pick<Layout, "mainService" | "services">): string[] {
  const all = [mainService, ...services.map(({ service }) => service)];
  const names = all.flatMap((service) => {
    if (service?.network.mode !== "networks") return [];
    const aliases = service.network.list.flatMap((entry) => entry.aliases);
    return [service.name, ...aliases, ...service.links.map(({ alias }) => alias)];
  });
  return [...new Set(names.map((name) => name.toLowerCase()))].filter((name) => NAME.test(name));
}
