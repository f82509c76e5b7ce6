import type Docker from "dockerode";
import { TermRunError } from "../../../errors.js";
import type { Teardown } from "../../../process/index.js";
import { ignoreMissing } from "../missing.js";
import { removeContainer } from "../remove-container.js";
import type { Service } from "./service.js";
import { type ServicePlan, serviceOptions } from "./service-options.js";

const HEALTH_POLL_MS = 100;

export interface ServicesPlan extends Pick<ServicePlan, "resources" | "gate"> {
  services: { service: Service; image: string }[];
  /** Without it services reach each other and nothing else. */
  internet: boolean;
  startTimeoutSec: number;
}

export interface RunningServices {
  network: string;
  /** Names of the services' containers. */
  containers: Map<string, string>;
}

/** Starts the services beside a sandbox, each once what it depends on is ready. */
export async function startServices(
  docker: Docker,
  { resources, services, gate, internet, startTimeoutSec }: ServicesPlan,
  teardown: Teardown,
  signal: AbortSignal,
): Promise<RunningServices> {
  const network = gate?.network ?? `${resources.name}-net`;
  const containers = new Map<string, string>();
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(startTimeoutSec * 1000)]);
  if (!gate) teardown.add(() => ignoreMissing(docker.getNetwork(network).remove()));
  teardown.add(() => removeContainers(docker, [...containers.values()]));
  if (!gate)
    await docker.createNetwork({
      Name: network,
      Driver: "bridge",
      Internal: !internet,
      Labels: resources.labels,
    });
  for (const { service, image } of services) {
    for (const { name, condition } of service.dependsOn) {
      const needed = containers.get(name);
      if (needed) await awaitCondition(docker, needed, name, condition, deadline);
    }
    const name = `${resources.name}-${service.name}`;
    containers.set(service.name, name);
    const options = serviceOptions(service, { name, image, network, gate, resources });
    const container = await docker.createContainer(options);
    if (service.networked) await gate?.admit(name);
    await container.start();
  }
  // Like `docker compose up --wait`: ready when every service with a health check is healthy.
  for (const { service } of services)
    if (service.healthcheck) {
      const name = containers.get(service.name) as string;
      await awaitCondition(docker, name, service.name, "service_healthy", deadline);
    }
  return { network, containers };
}

async function awaitCondition(
  docker: Docker,
  container: string,
  name: string,
  condition: string,
  signal: AbortSignal,
): Promise<void> {
  if (condition === "service_started") return;
  for (;;) {
    const { State } = await docker.getContainer(container).inspect();
    if (condition === "service_completed_successfully" && State.Status === "exited") {
      if (State.ExitCode === 0) return;
      throw failed(name, `exited with code ${State.ExitCode}`);
    }
    if (condition === "service_healthy") {
      if (State.Health?.Status === "healthy") return;
      if (State.Health?.Status === "unhealthy")
        throw failed(name, `is not healthy: ${State.Health.Log?.at(-1)?.Output ?? ""}`);
      if (!State.Running) throw failed(name, `exited with code ${State.ExitCode}`);
    }
    if (signal.aborted) throw failed(name, "was not ready in time");
    await new Promise((resolve) => setTimeout(resolve, HEALTH_POLL_MS));
  }
}

function failed(name: string, how: string): TermRunError {
  return new TermRunError("infra", `the service ${name} ${how}`);
}

async function removeContainers(docker: Docker, names: string[]): Promise<void> {
  await Promise.all(names.map((name) => removeContainer(docker.getContainer(name))));
}
