import type { NetworkPolicy } from "../../../interfaces/index.js";

/** What the program is told for a policy, in lines; egress.c has the words. */
export function ordersFor(policy: NetworkPolicy, localNames: readonly string[]): string {
  const lines = [...localNames.map((name) => `local ${name}`), ...allowed(policy), "apply"];
  return `${lines.join("\n")}\n`;
}

function allowed(policy: NetworkPolicy): string[] {
  if (policy.mode === "public") return ["open"];
  return policy.mode === "none" ? [] : policy.hosts.map((host) => `allow ${host}`);
}
