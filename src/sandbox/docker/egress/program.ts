import type { Duplex } from "node:stream";
import type Docker from "dockerode";
import pTimeout from "p-timeout";
import { TermRunError } from "../../../errors.js";
import type { Teardown } from "../../../process/index.js";
import { demux } from "../demux.js";
import type { ResourceLabels } from "../labels.js";
import { BRIDGE } from "../network-names.js";
import { removeContainer } from "../remove-container.js";
import { EGRESS_PATH } from "./image.js";

/** The program answers within milliseconds; a machine that is this busy does nothing any more. */
const ANSWER_DEADLINE_MS = 60_000;
const NOBODY = "65534:65534";
const MEMORY_BYTES = 128 * 1024 * 1024;

interface EgressPlan {
  image: string;
  network: string;
  resources: ResourceLabels;
}

/** The running program: an address on the sandbox's network, and somewhere to send orders to. */
export interface EgressProgram {
  container: string;
  address: string;
  /** Resolves once the orders are in force. */
  order(lines: string): Promise<void>;
  /** Lets it outlive this process. */
  keep(): void;
}

/** Starts the program in a container that is on both networks and can't outlive this process. */
export async function startEgress(
  docker: Docker,
  { image, network, resources }: EgressPlan,
  teardown: Teardown,
  signal: AbortSignal,
): Promise<EgressProgram> {
  const name = `${resources.name}.egress`;
  const container = docker.getContainer(name);
  let lifeline: Duplex | null = null;
  // Without its lifeline the container ends by itself, should the engine fail to remove it.
  teardown.add(() => lifeline?.destroy());
  teardown.add(() => removeContainer(container));
  const options = { ...createOptions(image, network), name, Labels: resources.labels };
  await docker.createContainer({ ...options, abortSignal: signal });
  await docker.getNetwork(BRIDGE).connect({ Container: name });
  const stream = await container.attach({
    stream: true,
    stdin: true,
    stdout: true,
    hijack: true,
    abortSignal: signal,
  });
  lifeline = stream as unknown as Duplex;
  const order = speakWith(lifeline, name);
  await container.start({ abortSignal: signal });
  const { NetworkSettings } = await container.inspect({ abortSignal: signal });
  const address = NetworkSettings.Networks[network]?.IPAddress ?? "";
  lifeline.write(`address ${address}\n`);
  return { container: name, address, order, keep: () => stream.write("keep\n") };
}

function createOptions(image: string, network: string): Docker.ContainerCreateOptions {
  return {
    Image: image,
    Entrypoint: [EGRESS_PATH],
    Cmd: [],
    User: NOBODY,
    Hostname: "egress",
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: false,
    Tty: false,
    HostConfig: {
      AutoRemove: true,
      NetworkMode: network,
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      PidsLimit: 16,
      Memory: MEMORY_BYTES,
      MemorySwap: MEMORY_BYTES,
      Ulimits: [{ Name: "nofile", Soft: 2048, Hard: 2048 }],
      Sysctls: {
        "net.ipv4.ip_unprivileged_port_start": "0",
        // Nothing passes but what the program itself sends.
        "net.ipv4.ip_forward": "0",
      },
      LogConfig: { Type: "none", Config: {} },
    },
  };
}

/** Sends orders one after another, each of which is answered with a line. */
function speakWith(lifeline: Duplex, name: string): (lines: string) => Promise<void> {
  let heard = "";
  let waiting: ((error?: Error) => void) | null = null;
  const gone = () => waiting?.(new TermRunError("infra", `the container ${name} ended: ${heard}`));
  const listen = demux(
    (bytes) => {
      heard += bytes;
      if (!heard.includes("applied\n")) return;
      heard = "";
      waiting?.();
    },
    () => {},
  );
  lifeline.on("data", listen).once("end", gone).once("close", gone).on("error", gone);
  return async (lines) => {
    const answered = new Promise<void>((resolve, reject) => {
      waiting = (error) => (error ? reject(error) : resolve());
      if (lifeline.destroyed || lifeline.readableEnded) gone();
    });
    lifeline.write(lines);
    await pTimeout(answered, {
      milliseconds: ANSWER_DEADLINE_MS,
      message: `the container ${name} didn't answer within ${ANSWER_DEADLINE_MS / 1000} s`,
    }).finally(() => {
      waiting = null;
    });
  };
}
