import { LOCAL_ABILITIES } from "../abilities.js";
import { HostProvider } from "../host/provider.js";
import type { OpenedKind } from "../opened-kind.js";
import { LocalSandbox } from "./sandbox.js";

export async function openLocal(): Promise<OpenedKind> {
  if (process.platform !== "linux")
    return {
      reason: "the local sandbox needs Linux (/proc)",
      hint: "Use --sandbox docker.",
      isConfigured: false,
    };
  const provider = new HostProvider(
    { kind: "local", abilities: LOCAL_ABILITIES },
    (options) => new LocalSandbox(options),
  );
  return { provider };
}
