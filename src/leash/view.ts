import { dirname } from "node:path";
import { isFolder } from "./hidden.js";

/** What a program on a leash sees at a path. Where several are given, the last kind here counts. */
export type Sight =
  /** The host's own, but it can't be moved: a folder that leads to a hidden one must stay there. */
  | { kind: "pin" }
  /** The host's own, which can't be changed. */
  | { kind: "fixed" }
  /** The host's own. */
  | { kind: "shown" }
  /** Empty, and the program's own. */
  | { kind: "private"; mode: string }
  /** Empty, and stays so. */
  | { kind: "hidden" };

export type Sights = Map<string, Sight>;

const STRENGTH = ["pin", "fixed", "shown", "private", "hidden"];

export function add(sights: Sights, path: string, sight: Sight): void {
  const before = sights.get(path);
  if (before && STRENGTH.indexOf(before.kind) >= STRENGTH.indexOf(sight.kind)) return;
  sights.set(path, sight);
}

/** The arguments for bubblewrap, outer folders first: each lies over what is outside of it. The folder exists. */
export function viewArguments(given: Sights, folder: string): string[] {
  const sights = new Map(given);
  for (const [path, { kind }] of given)
    if (kind === "hidden" || kind === "fixed") pinAbove(path, sights);
  const args: string[] = [];
  const last: string[] = [];
  const inOrder = [...sights].sort(([a], [b]) => depth(a) - depth(b));
  for (const [path, sight] of inOrder) {
    const outer = enclosing(path, sights)?.kind ?? "shown";
    const isGone = outer === "hidden" || outer === "private";
    if (sight.kind === "private") args.push("--perms", sight.mode, "--tmpfs", path);
    else if (sight.kind === "shown") args.push("--bind", path, path);
    else if (isGone) continue;
    else if (sight.kind === "pin") args.push("--bind", path, path);
    else if (sight.kind === "fixed") args.push("--ro-bind", path, path);
    else if (isFolder(path)) {
      args.push("--perms", "0555", "--tmpfs", path);
      last.push("--remount-ro", path);
    } else args.push("--ro-bind", "/dev/null", path);
  }
  return [...args, "--dir", folder, ...last];
}

/** A folder with a mount on it can't be renamed or removed. */
function pinAbove(path: string, sights: Sights): void {
  for (let dir = dirname(path); dir !== "/"; dir = dirname(dir)) {
    const there = sights.get(dir);
    if (there && there.kind !== "pin") return;
    // In a folder that can't be changed nothing can be renamed either.
    if (enclosing(dir, sights)?.kind === "fixed") return;
    sights.set(dir, { kind: "pin" });
  }
}

/** What decides how the surroundings of a path are seen. */
export function enclosing(path: string, sights: Sights): Sight | null {
  for (let dir = dirname(path); ; dir = dirname(dir)) {
    const sight = sights.get(dir);
    if (sight && sight.kind !== "pin") return sight;
    if (dir === "/") return null;
  }
}

function depth(path: string): number {
  return path.split("/").length;
}
