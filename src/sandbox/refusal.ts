import { isIP } from "node:net";
import type { Abilities, NetworkPolicy, SandboxProvider, Task } from "../interfaces/index.js";
import { SANDBOX_KINDS } from "./kinds.js";
import {
  environmentsIn,
  networksNamed,
  networksOfPhases,
  usersNamed,
  withParts,
} from "./task-needs.js";
import { findPathProblem } from "./test-paths.js";

type Kind = Pick<SandboxProvider, "kind" | "abilities">;

/** Why a sandbox of this kind can't run the task as it is written, or null if it can. */
export function findRefusal(task: Task, kind: Kind): string | null {
  const reason = findReason(task, kind);
  if (!reason) return null;
  const others = SANDBOX_KINDS.filter((other) => findReason(task, other) === null);
  const choices = others.map((other) => `--sandbox ${other.kind}`).join(" or ");
  return choices === "" ? reason : `${reason}: run it with ${choices}`;
}

function findReason(task: Task, kind: Kind): string | null {
  for (const check of CHECKS) {
    const reason = check(task, kind);
    if (reason) return reason;
  }
  return null;
}

const CHECKS: ((task: Task, kind: Kind) => string | null)[] = [
  (task, { abilities }) =>
    !abilities.images && environmentsIn(task).some(({ source }) => source.kind !== "portable")
      ? "it needs an image of its own"
      : null,
  (task, { abilities }) =>
    !abilities.services && environmentsIn(task).some(({ compose }) => compose)
      ? "it needs services beside it"
      : null,
  (task, { abilities }) =>
    !abilities.separateVerifier && withParts(task).some(({ verifier }) => verifier.separate)
      ? "its verifier needs a sandbox of its own"
      : null,
  (task, { kind, abilities }) => {
    const [user] = usersNamed(task);
    return !abilities.users && user !== undefined
      ? `it names the user ${user}, and a ${kind} sandbox has only one`
      : null;
  },
  (task, { kind, abilities }) => {
    const missing = networksNamed(task)
      .map(({ mode }) => mode)
      .find((mode) => !abilities.networks.includes(mode));
    return missing
      ? `${NETWORK_NEEDS[missing]}, which a ${kind} sandbox ${NETWORK_LACKS[missing]}`
      : null;
  },
  (task) => {
    const address = networksNamed(task).flatMap(addressesIn)[0];
    return address === undefined
      ? null
      : `its network allows ${address}, and only names of hosts can be allowed, not addresses`;
  },
  (task, { kind, abilities }) =>
    !abilities.networkSwitch && networksOfPhases(task, defaultNetwork(abilities)).size > 1
      ? `its network changes between phases, which a ${kind} sandbox can't do`
      : null,
  (task) =>
    withParts(task).some(({ agentUser }) => agentUser !== task.agentUser)
      ? "its parts have different users, which isn't possible in one sandbox"
      : null,
  (task, { kind, abilities }) => (abilities.ownRoot ? null : findPathProblem(task, kind)),
];

const NETWORK_NEEDS: Record<NetworkPolicy["mode"], string> = {
  public: "it needs a network",
  none: "it must not reach the internet",
  allowlist: "it needs a network with a list of allowed hosts",
};

const NETWORK_LACKS: Record<NetworkPolicy["mode"], string> = {
  public: "doesn't have",
  none: "can't prevent",
  allowlist: "can't enforce",
};

/** Addresses, and ranges of them. */
function addressesIn(policy: NetworkPolicy): string[] {
  if (policy.mode !== "allowlist") return [];
  return policy.hosts.filter((host) => isIP(host.split("/")[0] ?? "") !== 0);
}

function defaultNetwork({ networks }: Abilities): NetworkPolicy["mode"] {
  return networks[0] ?? "none";
}
