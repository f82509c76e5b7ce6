import { isIP } from "node:net";
import { isDeepStrictEqual } from "node:util";
import type { NetworkPolicy } from "../../interfaces/index.js";
import type { Fields } from "../fields.js";

const MODES = ["public", "no-network", "allowlist"] as const;
const HOST = /^(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/** `network_mode` and `allowed_hosts` of a section; null when it says nothing. */
export function readNetwork(fields: Fields): NetworkPolicy | null {
  const mode = fields.choice("network_mode", MODES);
  const hosts = fields.list("allowed_hosts").map((host, i) => readHost(fields, host, i));
  const listed = fields.has("allowed_hosts");
  if (listed && mode !== null && mode !== "allowlist")
    throw fields.problem("allowed_hosts", `needs network_mode "allowlist", not "${mode}"`);
  if (hosts.length > 0) return { mode: "allowlist", hosts };
  // An empty list allows nothing.
  if (mode === "allowlist" || listed) return { mode: "none" };
  if (mode === null) return null;
  return { mode: mode === "public" ? "public" : "none" };
}

/** The policy of a phase, or null when it is the usual one. */
export function whereItDiffers(
  policy: NetworkPolicy | null,
  usual: NetworkPolicy | null,
): NetworkPolicy | null {
  const same = policy !== null && isDeepStrictEqual(policy, usual);
  return same ? null : policy;
}

function readHost(fields: Fields, given: string, index: number): string {
  const host = given.trim().toLowerCase().replace(/\.$/, "");
  const [address = "", length] = host.split("/");
  const bits = isIP(address) === 6 ? 128 : 32;
  const isAddress =
    isIP(address) !== 0 &&
    (length === undefined || (/^\d+$/.test(length) && Number(length) <= bits));
  if (!isAddress && !HOST.test(host))
    throw fields.wrong(
      ["allowed_hosts", index],
      "a host name, *.host, an address or a CIDR",
      given,
    );
  return host;
}
