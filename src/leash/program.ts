import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where it is in the namespaces, whatever the agent's view of the host is. */
export const LEASH_PROGRAM = "/dev/.term-run-leash";

/** The host path of the first process of a leash, as leash.c says; null: none for this processor. */
export function findLeashProgram(architecture: string = process.arch): string | null {
  const file = fileURLToPath(new URL(`./native/leash-${architecture}`, import.meta.url));
  return existsSync(file) ? file : null;
}
