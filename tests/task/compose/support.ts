import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { ComposeProject, Service } from "../../../src/task/compose/project.js";
import { readCompose } from "../../../src/task/compose/read.js";
import { type Files, makeFolder, writeFiles } from "../tasks.js";

export const FILE = "docker-compose.yaml";

export interface Reader {
  readonly dir: string;
  project(text: string, files?: Files, variables?: Record<string, string>): ComposeProject;
  /** The service `db` of a file that says nothing else. */
  service(fields: string, files?: Files, more?: string): Service;
  /** Why such a file is refused. */
  refused(fields: string, more?: string): string[];
}

/** Reads compose files in a folder of each test's own. */
export function useReader(): Reader {
  let folder = makeFolder();
  beforeEach(() => {
    folder = makeFolder();
  });
  afterEach(() => folder.remove());
  const project: Reader["project"] = (text, files = {}, variables = {}) => {
    writeFiles(folder.dir, { ...files, [FILE]: text });
    const file = join(folder.dir, FILE);
    return readCompose({ file, service: "main", variables, awaited: true });
  };
  const read = (fields: string, files: Files = {}, more = "") =>
    project(`services: {db: {image: x, ${fields}}}\n${more}`, files);
  return {
    get dir() {
      return folder.dir;
    },
    project,
    service: (...args) => read(...args).others[0] as Service,
    refused: (fields, more) => read(fields, {}, more).refused,
  };
}
