import { existsSync } from "node:fs";
import type { Fields } from "../fields.js";
import type { ContainerFile, Mount } from "./project.js";
import type { Scope } from "./scope.js";
import { flag, number, text } from "./values.js";

const FOLDERS = { secrets: "/run/secrets/", configs: "/" } as const;
const MODE = 0o444;

/**
 * A service's secrets or configs. Compose mounts those from files as they are on the host, and
 * copies the others in; only then `mode`, `uid` and `gid` count.
 */
export function readFiles(
  fields: Fields,
  kind: keyof typeof FOLDERS,
  scope: Scope,
): { mounts: Mount[]; files: ContainerFile[] } {
  const mounts: Mount[] = [];
  const files: ContainerFile[] = [];
  for (const entry of fields.tablesOr(kind, "source")) {
    const name = entry.required("source");
    const target = text(entry, "target") ?? name;
    const path = target.startsWith("/") ? target : FOLDERS[kind] + target;
    const owner = { uid: number(entry, "uid") ?? 0, gid: number(entry, "gid") ?? 0 };
    const mode = modeOf(entry);
    const source = scope[kind][name];
    if (!source) throw fields.problem(kind, `names ${name}, which isn't defined`);
    if (source.kind === "refused") continue;
    if (source.kind === "file") {
      if (!existsSync(source.file))
        throw fields.problem(kind, `needs ${source.file}, which doesn't exist`);
      mounts.push({
        kind: "bind",
        source: source.file,
        target: path,
        readOnly: true,
        create: false,
      });
      continue;
    }
    const content = source.kind === "content" ? source.content : scope.variables[source.variable];
    if (content === undefined && source.kind === "environment")
      scope.refused.push(
        fields.warning(kind, `needs the variable ${source.variable}, which is not set`),
      );
    if (content && flag(fields, "read_only"))
      throw fields.problem(
        kind,
        `can't have ${name} in a read_only service: only files can be mounted`,
      );
    if (content) files.push({ path, content, mode, ...owner });
  }
  return { mounts, files };
}

/** A number is one in YAML's octal form already, a string is octal. */
function modeOf(entry: Fields): number {
  const mode = entry.raw("mode");
  if (typeof mode !== "string") return number(entry, "mode") ?? MODE;
  if (!/^(0o?)?[0-7]{3,4}$/.test(mode)) throw entry.wrong("mode", "an octal mode", mode);
  return Number.parseInt(mode.replace("o", ""), 8);
}
