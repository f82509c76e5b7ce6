import { BUBBLEWRAP_ABILITIES } from "../abilities.js";
import { HostProvider } from "../host/provider.js";
import type { OpenedKind } from "../opened-kind.js";
import { type Controller, findHomes, missingControllers } from "./cgroup/homes.js";
import { findPrograms } from "./probe.js";
import { BubblewrapSandbox } from "./sandbox.js";

const INSTALL =
  "bubblewrap: apt-get install bubblewrap, dnf install bubblewrap, or pacman -S bubblewrap";

export async function openBubblewrap(): Promise<OpenedKind> {
  const programs = await findPrograms();
  if ("reason" in programs) return { reason: programs.reason, hint: INSTALL, isConfigured: false };
  const homes = findHomes();
  const missing = missingControllers(homes);
  const abilities = { ...BUBBLEWRAP_ABILITIES, limits: missing.length === 0 };
  const provider = new HostProvider(
    { kind: "bubblewrap", abilities },
    (options) => new BubblewrapSandbox({ programs, homes }, options),
  );
  return { provider, notice: describeMissing(missing) };
}

const NAMES: Record<Controller, string> = {
  memory: "memory",
  pids: "number of processes",
  cpu: "cpus",
};

function describeMissing(missing: Controller[]): string | null {
  if (missing.length === 0) return null;
  const names = missing.map((controller) => NAMES[controller]).join(", ");
  return `bubblewrap sandboxes have no limit here on ${names}: no cgroup can be made for them`;
}
