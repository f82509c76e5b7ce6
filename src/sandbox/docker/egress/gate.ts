import { isDeepStrictEqual } from "node:util";
import type Docker from "dockerode";
import type { NetworkPolicy } from "../../../interfaces/index.js";
import type { Teardown } from "../../../process/index.js";
import type { Placement } from "../compose/networks.js";
import type { ResourceLabels } from "../labels.js";
import { ignoreMissing } from "../missing.js";
import { BRIDGE, INTERNAL_OPTIONS } from "../network-names.js";
import { ordersFor } from "./orders.js";
import { type EgressProgram, startEgress } from "./program.js";

interface GatePlan {
  /** Of the egress program. */
  image: string;
  resources: ResourceLabels;
  /** What will be in force at some time: first the one from the start. */
  policies: readonly [NetworkPolicy, ...NetworkPolicy[]];
  /** Names that the sandbox's network itself knows. */
  localNames: string[];
}

/**
 * A network without a way out, and a container of term-run's own on it that lets through what a
 * policy allows. Where everything is allowed, the network's members are on the bridge as well.
 */
export class Gate {
  readonly network: string;
  readonly container: string;
  /** The one resolver for what is on the network. */
  readonly resolver: string;
  readonly #docker: Docker;
  readonly #program: EgressProgram;
  readonly #localNames: string[];
  readonly #policies: readonly NetworkPolicy[];
  readonly #members: string[] = [];
  #policy: NetworkPolicy;

  private constructor(docker: Docker, network: string, plan: GatePlan, program: EgressProgram) {
    this.network = network;
    this.container = program.container;
    this.resolver = program.address;
    this.#docker = docker;
    this.#program = program;
    this.#localNames = plan.localNames;
    this.#policies = plan.policies;
    this.#policy = plan.policies[0];
  }

  static async open(
    docker: Docker,
    plan: GatePlan,
    teardown: Teardown,
    signal: AbortSignal,
  ): Promise<Gate> {
    const network = `${plan.resources.name}-net`;
    teardown.add(() => ignoreMissing(docker.getNetwork(network).remove()));
    await docker.createNetwork({
      Name: network,
      Driver: "bridge",
      Internal: true,
      Options: INTERNAL_OPTIONS,
      Labels: plan.resources.labels,
      abortSignal: signal,
    });
    const program = await startEgress(docker, { ...plan, network }, teardown, signal);
    await program.order(ordersFor(plan.policies[0], plan.localNames));
    return new Gate(docker, network, plan, program);
  }

  /** What a service's container is created with. */
  serviceOptions(): Docker.HostConfig {
    const hosts = this.#policies.every(({ mode }) => mode !== "public")
      ? this.#policies.flatMap((policy) => (policy.mode === "allowlist" ? policy.hosts : []))
      : [];
    const names = [...new Set(hosts)].filter((host) => !host.startsWith("*"));
    return {
      Dns: [this.resolver],
      // Newer engines' own resolvers ask no other one from an internal network.
      ExtraHosts: names.map((name) => `${name}:${this.resolver}`),
    };
  }

  /** Whether a machine with this place is on the network. */
  admits({ mode, endpoints }: Placement): boolean {
    return mode === this.network || endpoints.some(([network]) => network === this.network);
  }

  /** To be called for each container on the network before it starts. */
  async admit(container: string): Promise<void> {
    this.#members.push(container);
    if (this.#policy.mode === "public") await this.#connect(container);
  }

  /**
   * Puts a policy in force; no connection that an earlier one allowed lives on. Returns whether the
   * members' networks changed.
   */
  async use(policy: NetworkPolicy): Promise<boolean> {
    if (isDeepStrictEqual(policy, this.#policy)) return false;
    const wasPublic = this.#policy.mode === "public";
    const isPublic = policy.mode === "public";
    if (wasPublic) await Promise.all(this.#members.map((member) => this.#disconnect(member)));
    await this.#program.order(ordersFor(policy, this.#localNames));
    if (isPublic) await Promise.all(this.#members.map((member) => this.#connect(member)));
    this.#policy = policy;
    return wasPublic || isPublic;
  }

  keep(): void {
    this.#program.keep();
  }

  #connect(container: string): Promise<void> {
    return ignoreMissing(this.#docker.getNetwork(BRIDGE).connect({ Container: container }));
  }

  #disconnect(container: string): Promise<void> {
    const bridge = this.#docker.getNetwork(BRIDGE);
    return ignoreMissing(bridge.disconnect({ Container: container, Force: true }));
  }
}
