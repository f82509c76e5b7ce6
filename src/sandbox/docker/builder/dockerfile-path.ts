import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Build } from "../../../task/index.js";

type Place = Pick<Build, "contextDir" | "dockerfile">;

export function dockerfilePath({ contextDir, dockerfile }: Place): string {
  return resolve(contextDir, dockerfile);
}

/** The Dockerfile's path below the context; null if it is elsewhere. */
export function pathInContext(place: Place): string | null {
  const path = relative(place.contextDir, dockerfilePath(place)).split(sep).join("/");
  return path.startsWith("../") || isAbsolute(path) ? null : path;
}
