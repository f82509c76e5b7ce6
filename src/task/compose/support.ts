import type { Fields } from "../fields.js";
import { flag } from "./values.js";

/** What doesn't change what is inside the machines of a trial. */
const HARMLESS = [
  "annotations",
  "attach",
  "cpu_count",
  "cpu_percent",
  "develop",
  "expose",
  "label_file",
  "labels",
  "logging",
  "ports",
  "pre_stop",
  "pull_policy",
  "pull_refresh_after",
  "stop_grace_period",
];

const NOT_SUPPORTED = "is not supported";
const HOST = "would give it this machine's devices";
const REFUSED: Record<string, string> = {
  devices: HOST,
  device_cgroup_rules: HOST,
  gpus: "needs a GPU",
  use_api_socket: "would give it the engine that runs it",
  userns_mode: "would change which users of this machine it has",
  cgroup_parent: "would take it out of its limits",
  external_links: "links to containers that aren't part of the trial",
  runtime: "names a runtime of the engine, which may be missing",
  blkio_config: NOT_SUPPORTED,
  cpu_rt_period: NOT_SUPPORTED,
  cpu_rt_runtime: NOT_SUPPORTED,
  credential_spec: NOT_SUPPORTED,
  isolation: NOT_SUPPORTED,
  models: NOT_SUPPORTED,
  oom_kill_disable: "could hang this machine",
  post_start: NOT_SUPPORTED,
  provider: NOT_SUPPORTED,
  storage_opt: NOT_SUPPORTED,
};

/** Puts what a service says and nothing here can honour into `refused`, with the reason. */
export function refuseFields(service: Fields, refused: string[]): void {
  service.ignore(...HARMLESS);
  const refuse = (key: string | string[], why: string) => refused.push(service.warning(key, why));
  for (const [key, why] of Object.entries(REFUSED)) if (isGiven(service.raw(key))) refuse(key, why);
  if (flag(service, "privileged"))
    refuse(
      "privileged",
      "would give it all power over this machine, which sandboxes must not have",
    );
  for (const key of ["uts", "cgroup"])
    if (service.raw(key) === "host")
      refuse(key, '"host" would give it the namespace of this machine');
  if (isOtherPlatform(service.raw("platform")))
    refuse(
      "platform",
      `is ${service.raw("platform")}, and this machine is linux/${architecture()}`,
    );
  const replicas = service.table("deploy").raw("replicas");
  if (Number(service.raw("scale") ?? replicas ?? 1) > 1)
    refuse("scale", "of more than 1 is not supported");
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

function isOtherPlatform(platform: unknown): boolean {
  if (typeof platform !== "string" || platform === "") return false;
  const [os = "", cpu = architecture()] = platform.split("/");
  return (
    os !== "linux" || cpu.replace("x86_64", "amd64").replace("aarch64", "arm64") !== architecture()
  );
}

/** The engine's own, which is nearly always on the same machine. */
function architecture(): string {
  return { x64: "amd64", arm64: "arm64" }[process.arch as string] ?? process.arch;
}
