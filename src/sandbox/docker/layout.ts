import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Environment, Task } from "../../interfaces/index.js";
import {
  type Build,
  digestFolder,
  type NetworkDefinition,
  readCompose,
  type Service,
} from "../../task/index.js";
import { dockerfilePath, pathInContext } from "./builder/dockerfile-path.js";

export interface ImageNeed {
  image: string;
  /** null: it is pulled. */
  build: Build | null;
}

/** The machines that an environment is made of, and the images they start from. */
export interface Layout {
  main: ImageNeed;
  /** What a compose file says of the sandbox itself. */
  mainService: Service | null;
  services: { service: Service; need: ImageNeed }[];
  networks: NetworkDefinition[];
}

export async function layOut(
  task: Pick<Task, "name" | "environment">,
  defaultImage: string,
): Promise<Layout> {
  const { source, compose } = task.environment;
  const own = await needOf(ownBuild(source), task.name);
  const fallback = { image: source.kind === "image" ? source.image : defaultImage, build: null };
  if (!compose) return { main: own ?? fallback, mainService: null, services: [], networks: [] };
  const { main, others, networks } = readCompose(compose);
  const names = new Set(Object.values(compose.variables));
  // An image named by one of the format's own variables is what the build makes, not a real one.
  const ready = main?.image && !names.has(main.image) ? { image: main.image, build: null } : null;
  const services = await Promise.all(
    others.map(async (service) => ({ service, need: await serviceNeed(service, task.name) })),
  );
  const built = await needOf(main?.build ?? null, task.name);
  return { main: built ?? ready ?? own ?? fallback, mainService: main, services, networks };
}

/** Every machine that a task may need in the course of a trial. */
export function environmentsOf(task: Task): Pick<Task, "name" | "environment">[] {
  const tasks = [task, ...(task.parts?.list.map((part) => part.task) ?? [])];
  const separate = tasks.flatMap(({ name, verifier }) =>
    verifier.separate ? [{ name, environment: verifier.separate }] : [],
  );
  return [task, ...separate];
}

function ownBuild(source: Environment["source"]): Build | null {
  if (source.kind !== "build") return null;
  const { contextDir, dockerfile = "Dockerfile" } = source;
  return { contextDir, dockerfile, args: {}, target: null, network: null, extraHosts: [] };
}

async function serviceNeed(service: Service, task: string): Promise<ImageNeed> {
  const built = await needOf(service.build, `${task}-${service.name}`);
  if (built) return built;
  if (service.image) return { image: service.image, build: null };
  throw new Error(`the service ${service.name} has neither an image nor a build`);
}

/** A built image is named after its content, so that an unchanged one is never built twice. */
async function needOf(build: Build | null, name: string): Promise<ImageNeed | null> {
  if (!build) return null;
  const digest = await digestFolder(build.contextDir);
  const options = await digestedOptions(build);
  const hash =
    options === null
      ? digest
      : createHash("sha256")
          .update(digest + options)
          .digest("hex");
  return { image: `term-run/${slug(name) || "task"}:${hash.slice(0, 16)}`, build };
}

/** What else decides what is built; null if nothing does. */
async function digestedOptions(build: Build): Promise<string | null> {
  const { dockerfile, args, target, network, extraHosts } = build;
  const options: unknown[] = [dockerfile, args, target];
  if (network !== null || extraHosts.length > 0) options.push(network, extraHosts);
  if (pathInContext(build) === null) options.push(await readFile(dockerfilePath(build), "utf8"));
  const isPlain = dockerfile === "Dockerfile" && target === null && options.length === 3;
  return isPlain && Object.keys(args).length === 0 ? null : JSON.stringify(options);
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}
