import type { Duplex } from "node:stream";
import type Docker from "dockerode";
import type { SandboxRequest } from "../../interfaces/index.js";
import { Teardown } from "../../process/index.js";
import type { Service } from "../../task/index.js";
import { requireFeatures } from "./compose/engine-features.js";
import { localNamesOf } from "./compose/local-names.js";
import type { Placement } from "./compose/networks.js";
import { type RunningServices, type ServicesPlan, startServices } from "./compose/services.js";
import { type InitProgram, startContainer } from "./container.js";
import { Gate } from "./egress/gate.js";
import type { EgressImage } from "./egress/image.js";
import { labelResources, type ResourceLabels } from "./labels.js";
import type { Layout } from "./layout.js";
import { chooseNetwork, needsGate, policiesOf } from "./network.js";
import type { Privileges } from "./privileges.js";
import type { Original } from "./snapshot.js";
import { removeVolumes } from "./volumes.js";

export interface MachinePlan extends Pick<SandboxRequest, "task" | "trial" | "run" | "watchdog"> {
  layout: Layout;
  workdir: string;
  privileges: Privileges;
  init: InitProgram;
  egressImage: EgressImage;
  /** The sandbox whose files this one starts from, if there is one. */
  over?: Original;
}

/** What the containers of a sandbox are attached to. */
interface Surroundings {
  /** null: the network has no limits, or never any. */
  gate: Gate | null;
  services: RunningServices | null;
  /** Where the sandbox's own container is. */
  place: Original["place"];
}

interface Parts extends Surroundings {
  docker: Docker;
  resources: ResourceLabels;
  lifeline: Duplex;
  teardown: Teardown;
}

/** The containers of one sandbox: its own, and those of the services beside it. */
export class Machine {
  readonly container: Docker.Container;
  readonly #parts: Parts;
  #isKept = false;

  private constructor(parts: Parts) {
    this.container = parts.docker.getContainer(parts.resources.name);
    this.#parts = parts;
  }

  /** Starts the services, then the sandbox's own container. */
  static async start(docker: Docker, plan: MachinePlan, signal: AbortSignal): Promise<Machine> {
    const teardown = new Teardown();
    const resources = labelResources(docker, plan);
    teardown.add(() => resources.release());
    if (hasMounts(plan.layout)) teardown.add(() => removeVolumes(docker, resources.name));
    try {
      const parts = await startAll(docker, plan, resources, teardown, signal);
      return new Machine({ docker, resources, teardown, ...parts });
    } catch (error) {
      // The start's error matters more than one of the cleanup.
      await teardown.run().catch(() => {});
      throw error;
    }
  }

  get name(): string {
    return this.#parts.resources.name;
  }

  get labels(): Record<string, string> {
    return this.#parts.resources.labels;
  }

  get surroundings(): Surroundings {
    return this.#parts;
  }

  /** What controls the network, if anything does. */
  get gate(): Gate | null {
    return this.#parts.gate;
  }

  /** The container of a service, or null for the sandbox itself. */
  serviceContainer(service: string | undefined): Docker.Container | null {
    const { docker, services } = this.#parts;
    const name = service === undefined ? undefined : services?.containers.get(service);
    return name === undefined ? null : docker.getContainer(name);
  }

  /** Lets everything outlive this process; returns the shell command that removes it. */
  keep(): string {
    const { lifeline, gate, resources, services } = this.#parts;
    this.#isKept = true;
    lifeline.write("keep\n");
    gate?.keep();
    resources.release();
    const others = [...(gate ? [gate.container] : []), ...(services?.containers.values() ?? [])];
    const networks = new Set([...(gate ? [gate.network] : []), ...(services?.networks ?? [])]);
    const more = networks.size > 0 ? `; docker network rm ${[...networks].join(" ")}` : "";
    return `docker rm -fv ${[this.name, ...others].join(" ")}${more}`;
  }

  /** Removes everything that wasn't kept. */
  async remove(): Promise<void> {
    if (this.#isKept) this.#parts.lifeline.destroy();
    else await this.#parts.teardown.run();
  }
}

async function startAll(
  docker: Docker,
  plan: MachinePlan,
  resources: ResourceLabels,
  teardown: Teardown,
  signal: AbortSignal,
): Promise<Surroundings & { lifeline: Duplex }> {
  const { task, layout, workdir, privileges, init, over } = plan;
  const containerOf = () => resources.name;
  const gate = over ? over.gate : await openGate(docker, plan, resources, teardown, signal);
  let place: Original["place"] = { placement: { mode: "none", endpoints: [] }, containerOf };
  const startMain = (placement: Placement, named: (service: string) => string = containerOf) => {
    place = { placement, containerOf: named };
    const [image, service] = [layout.main.image, layout.mainService];
    const own = { image, workdir, task, service, gate, privileges, init, resources };
    const volumesFrom = over?.container ?? null;
    return startContainer(docker, { ...own, ...place, volumesFrom }, teardown, signal);
  };
  if (over) {
    const lifeline = await startMain(over.place.placement, over.place.containerOf);
    return { gate, services: over.services, place, lifeline };
  }
  await requireFeatures(docker, layout);
  if (isAlone(layout)) {
    const mode = gate?.network ?? chooseNetwork(task);
    const lifeline = await startMain({ mode, endpoints: [] });
    return { gate, services: null, place, lifeline };
  }
  const beside = servicesPlan(plan, resources, gate);
  const { running, main } = await startServices(docker, beside, startMain, teardown, signal);
  return { gate, services: running, place, lifeline: main };
}

async function openGate(
  docker: Docker,
  { task, layout, egressImage }: MachinePlan,
  resources: ResourceLabels,
  teardown: Teardown,
  signal: AbortSignal,
): Promise<Gate | null> {
  if (!needsGate(task, layout.services.length > 0)) return null;
  const image = await egressImage.ensure();
  const plan = { image, resources, policies: policiesOf(task), localNames: localNamesOf(layout) };
  return Gate.open(docker, plan, teardown, signal);
}

function servicesPlan(
  { task, layout, privileges }: MachinePlan,
  resources: ResourceLabels,
  gate: Gate | null,
): ServicesPlan {
  const { network, buildTimeoutSec, compose } = task.environment;
  const name = compose?.service ?? "main";
  return {
    resources,
    gate,
    services: layout.services.map(({ service, need }) => ({ service, image: need.image })),
    main: layout.mainService ?? { name, network: onDefault(name), links: [], dependsOn: [] },
    networks: layout.networks,
    internet: network?.mode !== "none",
    awaited: compose?.awaited ?? true,
    privileges,
    startTimeoutSec: buildTimeoutSec,
  };
}

function onDefault(name: string): Service["network"] {
  const place = { network: "default", aliases: [name], ipv4: null, ipv6: null, mac: null };
  return { mode: "networks", list: [place] };
}

/** A network of its own costs time and addresses, which a sandbox alone has no use for. */
function isAlone({ mainService, services, networks }: Layout): boolean {
  if (services.length > 0) return false;
  const network = mainService?.network;
  if (!network) return true;
  return network.mode === "networks" && networks.length === 0 && mainService.links.length === 0;
}

function hasMounts({ mainService, services }: Layout): boolean {
  const all = [mainService, ...services.map(({ service }) => service)];
  return all.some((service) => service !== null && service.mounts.length > 0);
}
