import type { Duplex } from "node:stream";
import type Docker from "dockerode";
import type { SandboxRequest } from "../../interfaces/index.js";
import { Teardown } from "../../process/index.js";
import { localNamesOf } from "./compose/local-names.js";
import { type RunningServices, startServices } from "./compose/services.js";
import { type InitProgram, startContainer } from "./container.js";
import { Gate } from "./egress/gate.js";
import type { EgressImage } from "./egress/image.js";
import { labelResources, type ResourceLabels } from "./labels.js";
import type { Layout } from "./layout.js";
import { chooseNetwork, needsGate, policiesOf } from "./network.js";
import type { Privileges } from "./privileges.js";
import { removeVolumes } from "./volumes.js";

export interface MachinePlan extends Pick<SandboxRequest, "task" | "trial" | "run" | "watchdog"> {
  layout: Layout;
  workdir: string;
  privileges: Privileges;
  init: InitProgram;
  egressImage: EgressImage;
}

/** The containers of one sandbox: its own, and those of the services beside it. */
export class Machine {
  readonly container: Docker.Container;
  /** null: the network has no limits, or never any. */
  readonly gate: Gate | null;
  readonly #docker: Docker;
  readonly #resources: ResourceLabels;
  readonly #services: RunningServices | null;
  readonly #lifeline: Duplex;
  readonly #teardown: Teardown;
  #isKept = false;

  private constructor(parts: {
    docker: Docker;
    resources: ResourceLabels;
    gate: Gate | null;
    services: RunningServices | null;
    lifeline: Duplex;
    teardown: Teardown;
  }) {
    this.container = parts.docker.getContainer(parts.resources.name);
    this.gate = parts.gate;
    this.#docker = parts.docker;
    this.#resources = parts.resources;
    this.#services = parts.services;
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
    try {
      const gate = await openGate(docker, plan, resources, teardown, signal);
      const services = await startBeside(docker, plan, { resources, gate }, teardown, signal);
      const lifeline = await startContainer(
        docker,
        {
          image: layout.main.image,
          workdir: plan.workdir,
          task,
          service: layout.mainService,
          network: gate?.network ?? services?.network ?? chooseNetwork(task),
          gate,
          privileges: plan.privileges,
          init: plan.init,
          resources,
        },
        teardown,
        signal,
      );
      return new Machine({ docker, resources, gate, services, lifeline, teardown });
    } catch (error) {
      // The start's error matters more than one of the cleanup.
      await teardown.run().catch(() => {});
      throw error;
    }
  }

  get name(): string {
    return this.#resources.name;
  }

  /** The container of a service, or null for the sandbox itself. */
  serviceContainer(service: string | undefined): Docker.Container | null {
    const name = service === undefined ? undefined : this.#services?.containers.get(service);
    return name === undefined ? null : this.#docker.getContainer(name);
  }

  /** Lets everything outlive this process; returns the shell command that removes it. */
  keep(): string {
    this.#isKept = true;
    this.#lifeline.write("keep\n");
    this.gate?.keep();
    this.#resources.release();
    const others = [...(this.#services?.containers.values() ?? [])];
    const all = [this.name, ...(this.gate ? [this.gate.container] : []), ...others];
    const network = this.gate?.network ?? this.#services?.network;
    return `docker rm -fv ${all.join(" ")}${network ? `; docker network rm ${network}` : ""}`;
  }

  /** Removes everything that wasn't kept. */
  async remove(): Promise<void> {
    if (this.#isKept) this.#lifeline.destroy();
    else await this.#teardown.run();
  }
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

async function startBeside(
  docker: Docker,
  { task, layout }: MachinePlan,
  { resources, gate }: { resources: ResourceLabels; gate: Gate | null },
  teardown: Teardown,
  signal: AbortSignal,
): Promise<RunningServices | null> {
  if (layout.services.length === 0) return null;
  const plan = {
    resources,
    gate,
    services: layout.services.map(({ service, need }) => ({ service, image: need.image })),
    internet: task.environment.network?.mode !== "none",
    startTimeoutSec: task.environment.buildTimeoutSec,
  };
  return startServices(docker, plan, teardown, signal);
}

function hasMounts({ mainService, services }: Layout): boolean {
  const all = [mainService, ...services.map(({ service }) => service)];
  return all.some((service) => service !== null && service.mounts.length > 0);
}
