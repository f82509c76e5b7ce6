import type { Fields } from "../fields.js";
import type { Limits, Service } from "./project.js";
import type { Scope } from "./scope.js";
import { bytes, number, text } from "./values.js";

/** A service's limits, of which some may stand in `deploy.resources` as well. */
export function readLimits(fields: Fields, { refused }: Scope): Limits {
  const deploy = fields.table("deploy");
  deploy.ignore("mode", "endpoint_mode", "labels", "placement", "rollback_config", "update_config");
  const resources = deploy.table("resources");
  const limits = resources.table("limits");
  const reservations = resources.table("reservations");
  reservations.ignore("cpus");
  for (const key of ["devices", "generic_resources"])
    if (reservations.elements(key).length > 0)
      refused.push(reservations.warning(key, "needs devices of this machine"));
  // Both are read, so that both are known fields.
  const either = (own: number | null, deployed: number | null) => own ?? deployed;
  const positive = (value: number | null) => (value !== null && value > 0 ? value : null);
  return {
    cpus: positive(either(number(fields, "cpus"), number(limits, "cpus"))),
    cpuShares: positive(number(fields, "cpu_shares")),
    cpuQuota: positive(duration(fields, "cpu_quota")),
    cpuPeriod: positive(duration(fields, "cpu_period")),
    cpuset: text(fields, "cpuset"),
    memoryBytes: positive(either(bytes(fields, "mem_limit"), bytes(limits, "memory"))),
    swapBytes: bytes(fields, "memswap_limit"),
    swappiness: number(fields, "mem_swappiness"),
    reservedBytes: positive(
      either(bytes(fields, "mem_reservation"), bytes(reservations, "memory")),
    ),
    shmBytes: positive(bytes(fields, "shm_size")),
    pids: either(number(fields, "pids_limit"), number(limits, "pids")),
    oomScore: number(fields, "oom_score_adj"),
  };
}

/** In microseconds; with a unit as well. */
function duration(fields: Fields, key: string): number | null {
  const value = text(fields, key);
  const [, amount, unit] = /^(\d+)(us|ms|s)$/.exec(value ?? "") ?? [];
  if (amount === undefined) return number(fields, key);
  return Number(amount) * ({ us: 1, ms: 1e3, s: 1e6 }[unit as string] ?? 1);
}

export function readUlimits(fields: Fields): Service["ulimits"] {
  const ulimits = fields.table("ulimits");
  return Object.entries(ulimits.all()).map(([name, value]) => {
    if (typeof value !== "object") {
      const both = number(ulimits, name) ?? 0;
      return { name, soft: both, hard: both };
    }
    const pair = ulimits.table(name);
    const [soft, hard] = [number(pair, "soft"), number(pair, "hard")];
    if (soft === null || hard === null)
      throw ulimits.wrong(name, "a number, or a table with soft and hard", value);
    return { name, soft, hard };
  });
}

const POLICIES: Record<string, string> = {
  no: "no",
  none: "no",
  always: "always",
  any: "always",
  "on-failure": "on-failure",
  "unless-stopped": "unless-stopped",
};

export function readRestart(fields: Fields): Service["restart"] {
  const [condition, attempts] = (text(fields, "restart") ?? "").split(":");
  const policy = fields.table("deploy").table("restart_policy");
  policy.ignore("delay", "window");
  const max = number(policy, "max_attempts");
  const name = text(policy, "condition") ?? condition;
  if (!name) return null;
  const known = POLICIES[name];
  if (known === undefined)
    throw fields.wrong("restart", Object.keys(POLICIES).join(", "), fields.raw("restart") ?? name);
  return { name: known, retries: max ?? Number(attempts ?? 0) };
}
