import type Docker from "dockerode";
import { asInfraError } from "../../errors.js";
import type { Sandbox, Snapshot } from "../../interfaces/index.js";
import type { Placement } from "./compose/networks.js";
import type { RunningServices } from "./compose/services.js";
import type { Gate } from "./egress/gate.js";
import { ignoreMissing } from "./missing.js";

const REPOSITORY = "term-run/snapshot";

/** What a container over a snapshot has besides its files. */
export interface Original {
  /** The container whose volumes it shares: they aren't part of an image. */
  container: string;
  gate: Gate | null;
  services: RunningServices | null;
  place: { placement: Placement; containerOf: (service: string) => string };
}

interface Taken {
  name: string;
  labels: Record<string, string>;
  surroundings: Omit<Original, "container">;
}

/** Commits a container without pausing it; its processes aren't part of the image. */
export async function takeSnapshot(
  docker: Docker,
  { name, labels, surroundings }: Taken,
  open: (image: string, original: Original, signal: AbortSignal) => Promise<Sandbox>,
  signal: AbortSignal,
): Promise<Snapshot> {
  const image = `${REPOSITORY}:${name}`;
  const { gate, services, place } = surroundings;
  const { endpoints } = place.placement;
  let isAway = false;
  const release = async () => {
    await ignoreMissing(docker.getImage(image).remove({ force: true, noprune: true }));
    if (isAway)
      for (const [network, settings] of endpoints)
        await docker
          .getNetwork(network)
          .connect({ Container: name, EndpointConfig: settings as never });
  };
  const changes = Object.entries(labels).map(([key, value]) => `LABEL ${key}=${value}`);
  try {
    const options = { repo: REPOSITORY, tag: name, pause: false, changes: changes.join("\n") };
    await docker.getContainer(name).commit({ ...options, abortSignal: signal });
  } catch (error) {
    await release().catch(() => {});
    signal.throwIfAborted();
    throw asInfraError(error, `keeping the files of ${name} failed`);
  }
  return {
    release,
    async open(signal) {
      // Services know one sandbox by its names and addresses.
      isAway = true;
      for (const [network] of endpoints)
        await docker.getNetwork(network).disconnect({ Container: name, Force: true });
      return open(image, { container: name, gate, services, place }, signal);
    },
  };
}
