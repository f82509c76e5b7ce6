import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Fields } from "../fields.js";
import type { Mount } from "./project.js";
import type { Scope } from "./scope.js";
import { bytes, flag, strings, text } from "./values.js";

/** `volumes` and `tmpfs` of a service. */
export function readMounts(fields: Fields, scope: Scope): Mount[] {
  const mounts = fields.tablesOr("volumes", shortForm).map((entry, index) => {
    const refuse = (why: string) => scope.refused.push(fields.warning(["volumes", index], why));
    return readMount(entry, scope, refuse);
  });
  const temporary = strings(fields, "tmpfs").map((entry): Mount => {
    const [target = "", ...options] = entry.split(":");
    return { kind: "tmpfs", target, options: options.join(":") };
  });
  return [...mounts.filter((mount) => mount !== null), ...temporary];
}

function readMount(fields: Fields, scope: Scope, refuse: (why: string) => void): Mount | null {
  const target = fields.required("target");
  const type = fields.string("type") ?? "volume";
  const source = text(fields, "source") ?? "";
  const readOnly = flag(fields, "read_only");
  fields.ignore("consistency");
  if (type === "tmpfs") {
    const options = fields.table("tmpfs");
    const size = bytes(options, "size");
    const mode = options.raw("mode");
    const words = [size === null ? "" : `size=${size}`, mode === undefined ? "" : octal(mode)];
    return { kind: "tmpfs", target, options: words.filter((word) => word !== "").join(",") };
  }
  if (type === "bind") {
    const options = fields.table("bind");
    options.ignore("selinux", "recursive");
    if (options.has("propagation"))
      refuse("has a propagation, which would reach this machine's mounts");
    const path = source.startsWith("~") ? homedir() + source.slice(1) : resolve(scope.dir, source);
    if (/(^|\/)docker\.sock$/.test(path))
      refuse("mounts the engine's own socket, which would give it this machine");
    const create = text(options, "create_host_path") !== "false";
    return { kind: "bind", source: path, target, readOnly, create };
  }
  if (type !== "volume") {
    refuse(`has the type "${type}", which is not supported`);
    return null;
  }
  const options = fields.table("volume");
  options.ignore("labels");
  const name = source === "" ? "" : scope.volumes[source];
  if (name === undefined)
    throw fields.problem("source", `is ${source}, which isn't one of the file's volumes`);
  const copy = !flag(options, "nocopy");
  const subpath = text(options, "subpath");
  return { kind: "volume", source: name, target, readOnly, copy, subpath };
}

function octal(mode: unknown): string {
  return `mode=${typeof mode === "number" ? mode.toString(8) : String(mode)}`;
}

/** `source:target:options`, and its shorter forms. A source that came out empty is none. */
function shortForm(entry: string): Record<string, unknown> {
  const [first = "", second, ...rest] = entry.split(":");
  if (second === undefined) return { type: "volume", target: first };
  const options = rest.join(":").split(",");
  const more = { target: second, read_only: options.includes("ro") };
  if (/^[./~]/.test(first)) return { type: "bind", source: first, ...more };
  return { type: "volume", source: first, ...more, volume: { nocopy: options.includes("nocopy") } };
}
