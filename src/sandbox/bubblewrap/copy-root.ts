import { spawn } from "node:child_process";
import { once } from "node:events";
import { lchown } from "node:fs/promises";
import { TermRunError } from "../../errors.js";
import { ownNamespaces } from "./arguments.js";

const PLACES = { from: "/from", to: "/to" };
const COPY = ["cp", "-a", "--sparse=always", "--reflink=auto", `${PLACES.from}/.`, PLACES.to];

/**
 * Copies a sandbox's files, also while its processes change them. It runs where nothing else of the
 * host can be reached: a folder that turns into a link on the way leads nowhere.
 */
export async function copyRoot(
  bwrap: string,
  from: string,
  to: string,
  { uid, signal }: { uid: number | null; signal: AbortSignal },
): Promise<void> {
  if (uid !== null) await lchown(to, uid, uid);
  const system = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
  const args = [
    ...ownNamespaces({ dieWithParent: true }),
    // Over its own files, whatever their modes.
    ...["--cap-drop", "ALL", "--cap-add", "CAP_DAC_OVERRIDE", "--cap-add", "CAP_FOWNER"],
    ...system.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--bind", from, PLACES.from, "--bind", to, PLACES.to, "--proc", "/proc", "--dev", "/dev"],
    ...["--clearenv", "--setenv", "PATH", "/usr/bin:/bin", "--", ...COPY],
  ];
  const child = spawn(bwrap, args, {
    env: {},
    cwd: "/",
    stdio: "ignore",
    signal,
    ...(uid === null ? {} : { uid, gid: uid }),
  });
  const [code] = (await once(child, "close")) as [number | null];
  signal.throwIfAborted();
  // 1: a file vanished while it was copied, or can't be copied.
  if (code !== 0 && code !== 1)
    throw new TermRunError("infra", `the files of ${from} could not be copied (exit code ${code})`);
}
