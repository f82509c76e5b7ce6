import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What root keeps, by number: enough to install packages. Everything that could undo the leash is
 * gone: mounting, tracing, opening files by handle, making devices.
 */
const KEPT: Record<string, number> = {
  CAP_CHOWN: 0,
  CAP_DAC_OVERRIDE: 1,
  CAP_FOWNER: 3,
  CAP_FSETID: 4,
  CAP_KILL: 5,
  CAP_SETGID: 6,
  CAP_SETUID: 7,
  CAP_NET_BIND_SERVICE: 10,
  CAP_SETFCAP: 31,
};

/** Settings of the kernel, which root may change without any privilege; there is one kernel. */
const KERNEL = ["/sys", "/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs"];

/** Graphics cards and other accelerators, and what virtual machines need. */
const DEVICE =
  /^(nvidia.*|nvhost.*|nvmap|dri|kfd|dxg|accel.*|apex_.*|neuron.*|hl.*|davinci.*|kvm)$/;

/** Namespaces and privileges: the same for every leash. */
export function isolation(): string[] {
  const args = ["--die-with-parent", "--unshare-pid", "--unshare-ipc", "--bind", "/", "/"];
  args.push("--proc", "/proc", "--dev", "/dev");
  for (const device of listDevices()) args.push("--dev-bind", device, device);
  if (process.getuid?.() !== 0) return args;
  for (const path of KERNEL) if (existsSync(path)) args.push("--ro-bind", path, path);
  return [...args, "--cap-drop", "ALL", ...keptCapabilities()];
}

function keptCapabilities(): string[] {
  const status = readFileSync("/proc/self/status", "utf8");
  const own = BigInt(`0x${/^CapPrm:\s*(\w+)/m.exec(status)?.[1] ?? "0"}`);
  return Object.entries(KEPT)
    .filter(([, bit]) => (own >> BigInt(bit)) & 1n)
    .flatMap(([name]) => ["--cap-add", name]);
}

function listDevices(): string[] {
  return readdirSync("/dev")
    .filter((name) => DEVICE.test(name))
    .map((name) => join("/dev", name));
}
