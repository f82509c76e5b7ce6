import { resolve } from "node:path";
import type { Raw } from "./fields.js";

export type Mount =
  | { kind: "bind"; source: string; target: string; readOnly: boolean }
  | { kind: "volume"; source: string; target: string; readOnly: boolean }
  | { kind: "tmpfs"; target: string };

export function readMount(raw: unknown, dir: string): Mount {
  const fields = typeof raw === "string" ? shortMount(raw) : (raw as Raw);
  const target = String(fields.target);
  if (fields.type === "tmpfs") return { kind: "tmpfs", target };
  const source = String(fields.source ?? "");
  const readOnly = fields.read_only === true;
  if (fields.type !== "bind") return { kind: "volume", source, target, readOnly };
  const path = resolve(dir, source);
  if (path.endsWith("docker.sock")) throw new Error("the engine's own socket can't be mounted");
  return { kind: "bind", source: path, target, readOnly };
}

function shortMount(text: string): Raw {
  const [first = "", second, mode] = text.split(":");
  if (second === undefined) return { type: "volume", source: "", target: first };
  const type = /^[./~]/.test(first) ? "bind" : "volume";
  return { type, source: first, target: second, read_only: (mode ?? "").split(",").includes("ro") };
}
