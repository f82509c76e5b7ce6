/** What a container may do beyond running programs. */
export interface Privileges {
  /** Capabilities of the engine's default set that it doesn't get. */
  dropped: string[];
  securityOptions: string[];
  pidsLimit: number;
}

/**
 * As the engine gives it to any container: sudo, ping, mknod and debuggers work. The engine itself
 * sets no limit on processes; this one is far above what honest work needs, and keeps a fork bomb
 * from taking the host along.
 */
const USUAL: Privileges = { dropped: [], securityOptions: [], pidsLimit: 16_384 };

/** Where a task or the user asks for it. */
const HARDENED: Privileges = {
  dropped: ["MKNOD", "NET_RAW", "SETPCAP", "AUDIT_WRITE"],
  securityOptions: ["no-new-privileges"],
  pidsLimit: 4096,
};

export function privilegesOf({ hardened }: { hardened: boolean }): Privileges {
  return hardened ? HARDENED : USUAL;
}
