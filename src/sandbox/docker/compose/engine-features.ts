import type Docker from "dockerode";
import { TermRunError } from "../../../errors.js";
import type { Layout } from "../layout.js";

const SUBPATH_API = 1.45;

/** Older engines ignore what they don't know, which would be another machine than the file says. */
export async function requireFeatures(docker: Docker, layout: Layout): Promise<void> {
  const services = [layout.mainService, ...layout.services.map(({ service }) => service)];
  const needing = services.find((service) =>
    service?.mounts.some((mount) => mount.kind === "volume" && mount.subpath !== null),
  );
  if (!needing) return;
  const { ApiVersion, Version } = await docker.version();
  if (Number.parseFloat(ApiVersion) >= SUBPATH_API) return;
  throw new TermRunError(
    "infra",
    `services.${needing.name}.volumes has a subpath, which Docker Engine ${Version} can't mount`,
    { hint: "Use Docker Engine 26 or later." },
  );
}
