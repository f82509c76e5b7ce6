import type { Artifact } from "../../interfaces/index.js";
import type { Fields } from "../fields.js";

/** `artifacts`: paths, or tables with more fields. */
export function readArtifacts(fields: Fields): Artifact[] {
  return fields.tablesOr("artifacts", "source").map((entry) => {
    const source = entry.required("source");
    const destination = entry.string("destination");
    const service = entry.has("service") ? entry.required("service") : "main";
    if (climbs(source)) throw entry.wrong("source", "a path without ..", source);
    if (service !== "main" && !source.startsWith("/"))
      throw entry.wrong("source", `an absolute path in the service ${service}`, source);
    if (destination !== null && !isBelow(destination))
      throw entry.wrong("destination", "a relative path without .. or \\", destination);
    if (destination === "manifest.json")
      throw entry.problem(
        "destination",
        "can't be manifest.json: the list of artifacts is written there",
      );
    return { source, destination, exclude: entry.list("exclude"), service };
  });
}

function isBelow(path: string): boolean {
  return path !== "" && !path.startsWith("/") && !path.includes("\\") && !climbs(path);
}

function climbs(path: string): boolean {
  return path.split("/").includes("..");
}
