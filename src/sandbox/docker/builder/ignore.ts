import { readFile } from "node:fs/promises";
import dockerignore from "@balena/dockerignore";
import type { Build } from "../../../task/index.js";
import { dockerfilePath } from "./dockerfile-path.js";

export interface Ignore {
  leavesOut(path: string): boolean;
  /** Whether something below a folder that is left out may be kept nevertheless. */
  hasExceptions: boolean;
  /** Of the Dockerfile's own ignore file, which takes precedence. */
  isSpecific: boolean;
}

/** What `<Dockerfile>.dockerignore`, or else `.dockerignore`, keeps out of a build. */
export async function readIgnore(build: Pick<Build, "contextDir" | "dockerfile">): Promise<Ignore> {
  const specific = await readText(`${dockerfilePath(build)}.dockerignore`);
  const text = specific ?? (await readText(`${build.contextDir}/.dockerignore`)) ?? "";
  const rules = dockerignore.default().add(text);
  return {
    leavesOut: (path) => rules.ignores(path),
    hasExceptions: /^\s*!/m.test(text),
    isSpecific: specific !== null,
  };
}

function readText(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}
