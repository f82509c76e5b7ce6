import type { Service } from "./project.js";

/** Puts into `refused` what a service can have, and the one that is the sandbox can't. */
export function refuseForSandbox(
  main: Service,
  others: Service[],
  refused: string[],
  label: string,
): void {
  const refuse = (service: string, field: string, why: string) =>
    refused.push(`${label}: services.${service}.${field} ${why}`);
  if (main.readOnly)
    refuse(main.name, "read_only", "would keep the tests from being copied into the sandbox");
  if (main.pid !== null)
    refuse(main.name, "pid", "is not supported for the sandbox, whose processes are its own");
  for (const { name, dependsOn } of others)
    for (const needed of dependsOn)
      if (needed.name === main.name && needed.condition !== "service_started")
        refuse(
          name,
          "depends_on",
          `waits for ${main.name}, which the agent only works in afterwards`,
        );
}
