// Removes the containers, network, volumes and snapshots of a sandbox whose runner has died. The engine may
// still be creating some of them, so it looks again until nothing more turns up.
import Docker from "dockerode";

const QUIET_ROUNDS = 3;
const PAUSE_MS = 150;
const DEADLINE_MS = 30_000;

const [, , label = "", where = "null"] = process.argv;
const docker = new Docker(JSON.parse(where) ?? undefined);
const filters = { label: [label] };
const force = { force: true, v: true };

const began = Date.now();
for (let quiet = 0; quiet < QUIET_ROUNDS && Date.now() - began < DEADLINE_MS; ) {
  const found = await removeAll().catch(() => 1);
  quiet = found === 0 ? quiet + 1 : 0;
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

async function removeAll() {
  const containers = await docker.listContainers({ all: true, filters });
  await settle(containers.map(({ Id }) => docker.getContainer(Id).remove(force)));
  const networks = await docker.listNetworks({ filters });
  await settle(networks.map(({ Id }) => docker.getNetwork(Id).remove()));
  const { Volumes: volumes } = await docker.listVolumes({ filters });
  await settle((volumes ?? []).map(({ Name }) => docker.getVolume(Name).remove()));
  const images = await docker.listImages({ filters: JSON.stringify(filters) });
  await settle(images.map(({ Id }) => docker.getImage(Id).remove({ force: true })));
  return containers.length + networks.length + (volumes ?? []).length + images.length;
}

/** @param {Promise<unknown>[]} work */
function settle(work) {
  return Promise.allSettled(work);
}
