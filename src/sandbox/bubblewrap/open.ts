import { BUBBLEWRAP_ABILITIES } from "../abilities.js";
import { HostProvider } from "../host/provider.js";
import type { OpenedKind } from "../opened-kind.js";
import { findPrograms } from "./probe.js";
import { BubblewrapSandbox } from "./sandbox.js";

const INSTALL =
  "bubblewrap: apt-get install bubblewrap, dnf install bubblewrap, or pacman -S bubblewrap";

export async function openBubblewrap(): Promise<OpenedKind> {
  const found = await findPrograms();
  if ("reason" in found) return { reason: found.reason, hint: INSTALL, isConfigured: false };
  const provider = new HostProvider(
    { kind: "bubblewrap", abilities: BUBBLEWRAP_ABILITIES },
    (options) => new BubblewrapSandbox(found, options),
  );
  return { provider };
}
