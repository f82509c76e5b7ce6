import type Docker from "dockerode";
import type { NetworkPolicy, Task } from "../../interfaces/index.js";
import { networksOfPhases } from "../task-needs.js";

const BRIDGE = "bridge";

/** What the task's phases have; a task that says nothing is on the bridge. */
function modesOf(task: Task): Set<NetworkPolicy["mode"]> {
  return networksOfPhases(task, "public");
}

/** The network that a container without services starts on. */
export function chooseNetwork(task: Task): string {
  const modes = modesOf(task);
  return modes.size === 1 && modes.has("none") ? "none" : BRIDGE;
}

/** Takes a container off its network and back, where a task's phases differ. */
export class SandboxNetwork {
  readonly #docker: Docker;
  readonly #container: string;
  readonly #changes: boolean;
  #online = true;

  constructor(docker: Docker, container: string, task: Task) {
    this.#docker = docker;
    this.#container = container;
    this.#changes = modesOf(task).size > 1;
  }

  async use(policy: NetworkPolicy | null): Promise<void> {
    const online = policy?.mode !== "none";
    if (!this.#changes || online === this.#online) return;
    const network = this.#docker.getNetwork(BRIDGE);
    if (online) await network.connect({ Container: this.#container });
    else await network.disconnect({ Container: this.#container, Force: true });
    this.#online = online;
  }
}
