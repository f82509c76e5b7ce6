/** The engine's own network, which containers of all trials share. */
export const BRIDGE = "bridge";

/** An internal network has no address on the host, where its services could be reached. */
export const INTERNAL_OPTIONS = { "com.docker.network.bridge.inhibit_ipv4": "true" };
