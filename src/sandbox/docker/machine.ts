import type { Duplex } from "node:stream";
import type Docker from "dockerode";
import type { SandboxRequest } from "../../interfaces/index.js";
import { Teardown } from "../../process/index.js";
import type { Service } from "../../task/index.js";
import { requireFeatures } from "./compose/engine-features.js";
import type { Placement } from "./compose/networks.js";
import { type RunningServices, type ServicesPlan, startServices } from "./compose/services.js";
import { type InitProgram, startContainer } from "./container.js";
import { labelResources, type ResourceLabels } from "./labels.js";
import type { Layout } from "./layout.js";
import { chooseNetwork } from "./network.js";
import type { Privileges } from "./privileges.js";
import type { Original } from "./snapshot.js";
import { removeVolumes } from "./volumes.js";

export interface MachinePlan extends Pick<SandboxRequest, "task" | "trial" | "run" | "watchdog"> {
  layout: Layout;
  workdir: string;
  privileges: Privileges;
  init: InitProgram;
  /** The sandbox whose files this one starts from, if there is one. */
  over?: Original;
}

const NOWHERE: Placement = { mode: "none", endpoints: [] };

/** The containers of one sandbox: its own, and those of the services beside it. */
export class Machine {
  readonly container: Docker.Container;
  readonly services: RunningServices | null;
  /** Where it is attached. */
  readonly place: Original["place"];
  readonly #docker: Docker;
  readonly #resources: ResourceLabels;
  readonly #lifeline: Duplex;
  readonly #teardown: Teardown;
  #isKept = false;

  private constructor(parts: {
    docker: Docker;
    resources: ResourceLabels;
    services: RunningServices | null;
    place: Original["place"];
    lifeline: Duplex;
    teardown: Teardown;
  }) {
    this.container = parts.docker.getContainer(parts.resources.name);
    this.#docker = parts.docker;
    this.#resources = parts.resources;
    this.services = parts.services;
    this.place = parts.place;
    this.#lifeline = parts.lifeline;
    this.#teardown = parts.teardown;
  }

  /** Starts the services, then the sandbox's own container. */
  static async start(docker: Docker, plan: MachinePlan, signal: AbortSignal): Promise<Machine> {
    const { task, layout } = plan;
    const teardown = new Teardown();
    const resources = labelResources(docker, plan);
    teardown.add(() => resources.release());
    if (hasMounts(layout)) teardown.add(() => removeVolumes(docker, resources.name));
    const { workdir, privileges, init, over } = plan;
    let place: Original["place"] = { placement: NOWHERE, containerOf: () => resources.name };
    const startMain = (placement: Placement, containerOf = (_: string) => resources.name) => {
      place = { placement, containerOf };
      const [image, service] = [layout.main.image, layout.mainService];
      const volumesFrom = over?.container ?? null;
      return startContainer(
        docker,
        { image, workdir, task, service, ...place, privileges, init, resources, volumesFrom },
        teardown,
        signal,
      );
    };
    try {
      if (over) {
        const lifeline = await startMain(over.place.placement, over.place.containerOf);
        const { services } = over;
        return new Machine({ docker, resources, services, place, lifeline, teardown });
      }
      await requireFeatures(docker, layout);
      if (isAlone(layout)) {
        const placement = { mode: chooseNetwork(task), endpoints: [] };
        const lifeline = await startMain(placement);
        return new Machine({ docker, resources, services: null, place, lifeline, teardown });
      }
      const parts = servicesPlan(plan, resources);
      const { running, main } = await startServices(docker, parts, startMain, teardown, signal);
      return new Machine({ docker, resources, services: running, place, lifeline: main, teardown });
    } catch (error) {
      // The start's error matters more than one of the cleanup.
      await teardown.run().catch(() => {});
      throw error;
    }
  }

  get name(): string {
    return this.#resources.name;
  }

  get labels(): Record<string, string> {
    return this.#resources.labels;
  }

  /** The container of a service, or null for the sandbox itself. */
  serviceContainer(service: string | undefined): Docker.Container | null {
    const name = service === undefined ? undefined : this.services?.containers.get(service);
    return name === undefined ? null : this.#docker.getContainer(name);
  }

  /** Lets everything outlive this process; returns the shell command that removes it. */
  keep(): string {
    this.#isKept = true;
    this.#lifeline.write("keep\n");
    this.#resources.release();
    const others = [...(this.services?.containers.values() ?? [])];
    const networks = this.services?.networks ?? [];
    const more = networks.length > 0 ? `; docker network rm ${networks.join(" ")}` : "";
    return `docker rm -fv ${[this.name, ...others].join(" ")}${more}`;
  }

  /** Removes everything that wasn't kept. */
  async remove(): Promise<void> {
    if (this.#isKept) this.#lifeline.destroy();
    else await this.#teardown.run();
  }
}

function servicesPlan(
  { task, layout, privileges }: MachinePlan,
  resources: ResourceLabels,
): ServicesPlan {
  const { network, buildTimeoutSec, compose } = task.environment;
  const name = compose?.service ?? "main";
  return {
    resources,
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
