import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { SetupError } from "./errors.mjs";
import { lastLines, say, timed } from "./log.mjs";

/**
 * @typedef {"dockerd" | "containerd" | "iptables" | "ip" | "debootstrap" | "bwrap" | "chromium" |
 *   "asciinema"} Program
 * @typedef {object} Manager
 * @property {string} command
 * @property {string[]} [refresh]
 * @property {string[]} install
 * @property {Record<Program, string[]>} packages
 */

/** @type {Manager[]} */
const managers = [
  {
    command: "apt-get",
    refresh: ["update"],
    // --no-remove: never trade a Docker that someone installed on purpose for ours.
    install: ["install", "-y", "--no-install-recommends", "--no-remove"],
    packages: {
      dockerd: ["docker.io"],
      containerd: ["containerd"],
      iptables: ["iptables"],
      ip: ["iproute2"],
      debootstrap: ["debootstrap", "debian-archive-keyring"],
      bwrap: ["bubblewrap"],
      chromium: ["chromium"],
      asciinema: ["asciinema"],
    },
  },
  {
    command: "dnf",
    install: ["install", "-y"],
    packages: {
      dockerd: ["moby-engine"],
      containerd: ["containerd"],
      iptables: ["iptables-nft"],
      ip: ["iproute"],
      debootstrap: ["debootstrap", "debian-keyring"],
      bwrap: ["bubblewrap"],
      chromium: ["chromium"],
      asciinema: ["asciinema"],
    },
  },
  {
    command: "pacman",
    install: ["-Sy", "--noconfirm", "--needed"],
    packages: {
      dockerd: ["docker"],
      containerd: ["containerd"],
      iptables: ["iptables"],
      ip: ["iproute2"],
      debootstrap: ["debootstrap", "debian-archive-keyring"],
      bwrap: ["bubblewrap"],
      chromium: ["chromium"],
      asciinema: ["asciinema"],
    },
  },
];

const installTimeoutMs = 10 * 60_000;
let refreshed = false;

/** PATH with the system folders, which a root shell opened by `su` may lack. */
export const searchPath = [process.env.PATH, "/usr/local/sbin", "/usr/sbin", "/sbin"]
  .filter(Boolean)
  .join(delimiter);

/** @param {string} program */
export function findProgram(program) {
  return searchPath
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find(isExecutable);
}

export function isRoot() {
  return process.getuid?.() === 0;
}

/**
 * Installs the packages of those programs that are missing.
 * @param {Program[]} programs
 * @param {{ signal: AbortSignal }} options
 */
export async function ensurePrograms(programs, { signal }) {
  const missing = programs.filter((program) => !findProgram(program));
  if (missing.length === 0) return;
  const manager = managers.find(({ command }) => findProgram(command));
  const asRoot = await rootPrefix();
  if (!manager || !asRoot) throw new SetupError(explainMissing(missing, manager));

  const packages = packagesFor(manager, missing);
  await timed(`installing ${packages.join(" ")} with ${manager.command}`, async () => {
    // A broken source doesn't matter if the package comes from another one.
    if (manager.refresh && !refreshed) await run(manager.refresh).catch(warn);
    refreshed = true;
    await run([...manager.install, ...packages]);
  });
  const still = missing.filter((program) => !findProgram(program));
  if (still.length > 0) throw new SetupError(`installed, but still not found: ${still.join(", ")}`);

  /** @param {string[]} args */
  async function run(args) {
    const [file = "", ...rest] = [...(asRoot ?? []), manager?.command ?? "", ...args];
    const result = await execa(file, rest, {
      all: true,
      reject: false,
      stdin: "ignore",
      timeout: installTimeoutMs,
      cancelSignal: signal,
      env: { PATH: searchPath, DEBIAN_FRONTEND: "noninteractive" },
    });
    signal.throwIfAborted();
    if (!result.failed) return;
    const reason = result.timedOut ? "took too long" : `failed (exit code ${result.exitCode})`;
    throw new SetupError(`${file} ${rest.join(" ")} ${reason}:\n${lastLines(result.all)}`);
  }
}

/** The line to type, for each distribution. @param {Program[]} programs */
function installAdvice(programs) {
  const names = { "apt-get": "Debian, Ubuntu", dnf: "Fedora", pacman: "Arch" };
  return managers.map((manager) => {
    const name = names[/** @type {keyof typeof names} */ (manager.command)];
    const action = manager.command === "pacman" ? "-S" : "install";
    const packages = packagesFor(manager, programs).join(" ");
    return `  ${`${name}:`.padEnd(16)} sudo ${manager.command} ${action} ${packages}`;
  });
}

/** What to put before a command so that root runs it; undefined if that isn't possible. */
async function rootPrefix() {
  if (isRoot()) return [];
  if (!findProgram("sudo")) return undefined;
  const { failed } = await execa("sudo", ["-n", "true"], { reject: false, timeout: 5000 });
  return failed ? undefined : ["sudo", "-n"];
}

/**
 * @param {Program[]} missing
 * @param {Manager | undefined} manager
 */
function explainMissing(missing, manager) {
  const why = manager
    ? "installing needs root, or sudo without a password"
    : "no supported package manager was found";
  return [`missing: ${missing.join(", ")} (${why}). Install by hand:`]
    .concat(installAdvice(missing))
    .join("\n");
}

/**
 * @param {Manager} manager
 * @param {Program[]} programs
 */
function packagesFor(manager, programs) {
  return [...new Set(programs.flatMap((program) => manager.packages[program]))];
}

/** @param {Error} error */
function warn(error) {
  if (!(error instanceof SetupError)) throw error;
  say(`continuing without this: ${error.message}`);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
