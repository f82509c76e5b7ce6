import type Docker from "dockerode";
import { ignoreMissing } from "./missing.js";

/** Removes the named volumes of a sandbox; those without a name are removed with their containers. */
export async function removeVolumes(docker: Docker, sandbox: string): Promise<void> {
  const { Volumes } = await docker.listVolumes({ filters: { name: [`${sandbox}-`] } as never });
  for (const { Name } of Volumes ?? []) await ignoreMissing(docker.getVolume(Name).remove());
}
