import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import Docker from "dockerode";
import { expect } from "vitest";

interface Marked {
  mark: string;
  dir: string;
}

/** Only a guard against hanging: how long it takes depends on the machine. */
const DEADLINE_MS = 30_000;

/** Waits until no container, process or scratch folder of a run is left. */
export async function expectNoTraces(place: Marked): Promise<void> {
  await expect
    .poll(() => findTraces(place), { timeout: DEADLINE_MS, interval: 50, message: "left behind" })
    .toEqual([]);
}

async function findTraces(place: Marked): Promise<string[]> {
  const [containers, { networks, volumes }, processes, folders] = await Promise.all([
    findContainers(place.mark),
    findNetworksAndVolumes(place.mark),
    findProcesses(place.mark),
    readdir(join(place.dir, "tmp")),
  ]);
  return [
    ...containers.map(({ Names, State }) => `container ${Names.join()} ${State}`),
    ...networks.map((name) => `network ${name}`),
    ...volumes.map((name) => `volume ${name}`),
    ...processes.map(({ pid, command }) => `process ${pid} ${command}`),
    ...folders.filter((name) => name.startsWith("term-run-")).map((name) => `folder ${name}`),
  ];
}

/** The containers of a run, which have its name in a label. */
export async function findContainers(mark: string): Promise<Docker.ContainerInfo[]> {
  if (process.env.TERM_RUN_TEST_DOCKER === "skip") return [];
  return new Docker().listContainers({ all: true, filters: { label: [`term-run.run=${mark}`] } });
}

/** Its networks and volumes, which have the same label. */
export async function findNetworksAndVolumes(mark: string) {
  if (process.env.TERM_RUN_TEST_DOCKER === "skip") return { networks: [], volumes: [] };
  const filters = { label: [`term-run.run=${mark}`] };
  const networks = await new Docker().listNetworks({ filters });
  const { Volumes: volumes } = await new Docker().listVolumes({ filters: filters as never });
  return {
    networks: networks.map(({ Name }) => Name),
    volumes: (volumes ?? []).map(({ Name }) => Name),
  };
}

/** The processes that have the mark in their command line or environment. */
export async function findProcesses(mark: string): Promise<{ pid: number; command: string }[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [command, environment] = await Promise.all(
        ["cmdline", "environ"].map((file) =>
          readFile(`/proc/${pid}/${file}`, "utf8").catch(() => ""),
        ),
      );
      const isMarked = command?.includes(mark) || environment?.includes(mark);
      return isMarked ? [{ pid: Number(pid), command: `${command}`.replaceAll("\0", " ") }] : [];
    }),
  );
  return found.flat();
}

/** After a test, passed or not: the next one must not be affected. */
export async function removeTraces({ mark }: Marked): Promise<void> {
  for (const { pid } of await findProcesses(mark)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has exited already.
    }
  }
  const engine = new Docker();
  const gone = () => {};
  for (const { Id } of await findContainers(mark))
    await engine.getContainer(Id).remove({ force: true, v: true }).catch(gone);
  const { networks, volumes } = await findNetworksAndVolumes(mark);
  for (const name of networks) await engine.getNetwork(name).remove().catch(gone);
  for (const name of volumes) await engine.getVolume(name).remove().catch(gone);
}
