import type Docker from "dockerode";
import type { NetworkPolicy, Task } from "../../interfaces/index.js";
import { networksOfPhases, policiesOfPhases } from "../task-needs.js";
import type { Placement } from "./compose/networks.js";
import type { Gate } from "./egress/gate.js";
import { BRIDGE } from "./network-names.js";

/** What a task that says nothing has. */
const USUAL: NetworkPolicy = { mode: "public" };

/** What is in force in the course of a trial: first what everything starts with. */
export function policiesOf(task: Task): [NetworkPolicy, ...NetworkPolicy[]] {
  return [task.environment.network ?? USUAL, ...policiesOfPhases(task, USUAL)];
}

/**
 * Whether a task's network needs a gate: for allowed hosts, and for services, which can't be taken
 * off the network that they share with the sandbox.
 */
export function needsGate(task: Task, hasServices: boolean): boolean {
  const modes = new Set(policiesOf(task).map(({ mode }) => mode));
  return modes.has("allowlist") || (hasServices && modes.size > 1);
}

/** The network that a container without a gate and without services starts on. */
export function chooseNetwork(task: Task): string {
  const modes = networksOfPhases(task, USUAL.mode);
  return modes.size === 1 && modes.has("none") ? "none" : BRIDGE;
}

interface Connections {
  docker: Docker;
  machine: { name: string; surroundings: { gate: Gate | null; place: { placement: Placement } } };
  /** Makes an address the container's only resolver again. */
  resolve(address: string): Promise<void>;
}

/** Changes a sandbox's network, where a task's phases differ. */
export class SandboxNetwork {
  readonly #at: Connections;
  readonly #changes: boolean;
  #online = true;

  constructor(at: Connections, task: Task) {
    this.#at = at;
    this.#changes = networksOfPhases(task, USUAL.mode).size > 1;
  }

  async use(policy: NetworkPolicy | null): Promise<void> {
    const { docker, machine, resolve } = this.#at;
    const { name, surroundings } = machine;
    const { gate, place } = surroundings;
    if (gate) {
      const hasChanged = await gate.use(policy ?? USUAL);
      // Engines rewrite the file as they connect and disconnect.
      if (hasChanged && gate.admits(place.placement)) await resolve(gate.resolver);
      return;
    }
    const online = policy?.mode !== "none";
    if (!this.#changes || online === this.#online) return;
    const network = docker.getNetwork(BRIDGE);
    if (online) await network.connect({ Container: name });
    else await network.disconnect({ Container: name, Force: true });
    this.#online = online;
  }
}
