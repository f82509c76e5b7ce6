import type Docker from "dockerode";
import type { Teardown } from "../../../process/index.js";
import type { Dependency, NetworkDefinition, Service } from "../../../task/index.js";
import type { Gate } from "../egress/gate.js";
import type { ResourceLabels } from "../labels.js";
import type { Privileges } from "../privileges.js";
import { removeContainer } from "../remove-container.js";
import { awaitCondition, type Wanted } from "./conditions.js";
import { ContainerStates } from "./container-states.js";
import { packFiles } from "./files.js";
import { createNetworks, joinOthers, type Placement, placeService } from "./networks.js";
import { serviceOptions } from "./service-options.js";

export interface ServicesPlan {
  resources: ResourceLabels;
  services: { service: Service; image: string }[];
  /** The sandbox among them: its container is started by the caller. */
  main: Pick<Service, "name" | "network" | "links" | "dependsOn">;
  networks: NetworkDefinition[];
  /** What stands for the default network, if there is one. */
  gate: Gate | null;
  /** Without it services reach each other and nothing else. */
  internet: boolean;
  /** Whether all have to be running, or healthy where they can be. */
  awaited: boolean;
  privileges: Privileges;
  startTimeoutSec: number;
}

export interface RunningServices {
  networks: string[];
  /** Names of the services' containers. */
  containers: Map<string, string>;
}

/**
 * Starts the services and the sandbox among them, each once what it depends on is ready. Those that
 * don't depend on each other start at the same time.
 */
export async function startServices<T>(
  docker: Docker,
  plan: ServicesPlan,
  startMain: (placement: Placement, containerOf: (service: string) => string) => Promise<T>,
  teardown: Teardown,
  signal: AbortSignal,
): Promise<{ running: RunningServices; main: T }> {
  const { resources, services, main, internet, gate } = plan;
  const failure = new AbortController();
  const timeout = AbortSignal.timeout(plan.startTimeoutSec * 1000);
  const signals = { signal, deadline: AbortSignal.any([signal, timeout, failure.signal]) };
  const containers = new Map(
    services.map(({ service: { name } }) => [name, `${resources.name}-${name}`]),
  );
  const containerOf = (name: string) => containers.get(name) ?? resources.name;
  const members = [main, ...services.map(({ service }) => service)] as Service[];
  const networks = await createNetworks(
    docker,
    { resources, definitions: plan.networks, services: members, internet, gate },
    teardown,
    signals.deadline,
  );
  teardown.add(() => removeContainers(docker, [...containers.values()]));
  const states = await ContainerStates.watch(docker, resources);

  const wait = (name: string, wanted: Wanted) =>
    awaitCondition(states, { name, container: containerOf(name) }, wanted, signals);
  const waitFor = async ({ name, condition, required }: Dependency) => {
    try {
      await start(name);
      if (name !== main.name) await wait(name, condition);
    } catch (error) {
      if (required) throw error;
    }
  };
  const create = async ({ service, image }: ServicesPlan["services"][number]) => {
    const name = containerOf(service.name);
    const placement = placeService(service, networks, internet, containerOf);
    const { privileges } = plan;
    const container = await docker.createContainer(
      serviceOptions(service, {
        ...{ name, image, placement, gate, privileges, resources, containerOf },
      }),
    );
    await joinOthers(docker, name, placement);
    if (gate?.admits(placement)) await gate.admit(name);
    if (service.files.length > 0)
      await container.putArchive(packFiles(service.files), { path: "/" });
    await container.start();
  };

  const started = new Map<string, Promise<T | undefined>>();
  const start = (name: string) => {
    const known = started.get(name) ?? begin(name);
    started.set(name, known);
    return known;
  };
  const begin = async (name: string): Promise<T | undefined> => {
    const own = services.find(({ service }) => service.name === name);
    await Promise.all((own?.service ?? main).dependsOn.map(waitFor));
    signals.deadline.throwIfAborted();
    if (own) await create(own);
    else return startMain(placeService(main, networks, internet, containerOf), containerOf);
    return undefined;
  };
  const bringUp = async (name: string) => {
    const result = await start(name);
    if (plan.awaited && name !== main.name) await wait(name, wantedOf(name, members));
    return result;
  };
  const everything = [main.name, ...containers.keys()].map((name) =>
    bringUp(name).catch((error) => {
      // The first failure is the cause; the rest need not be waited for.
      failure.abort(error);
      throw failure.signal.reason;
    }),
  );
  // Nothing may still be being created when what there is gets removed.
  await Promise.allSettled(everything);
  states.close();
  const [result] = await Promise.all(everything);
  return { running: { networks: [...networks.values()], containers }, main: result as T };
}

/** One that another waits to complete can't be waited for to run. */
function wantedOf(name: string, members: Service[]): Wanted {
  const dependencies = members.flatMap(({ dependsOn }) => dependsOn);
  const completes = "service_completed_successfully";
  return dependencies.some((each) => each.name === name && each.condition === completes)
    ? completes
    : "running";
}

async function removeContainers(docker: Docker, names: string[]): Promise<void> {
  await Promise.all(names.map((name) => removeContainer(docker.getContainer(name))));
}
