import { statSync } from "node:fs";

/** What Docker makes read-only for its containers, and what it hides from them. */
const READ_ONLY = ["bus", "fs", "irq", "sys", "sysrq-trigger"];
const HIDDEN = [
  ...["acpi", "asound", "interrupts", "kcore", "keys", "latency_stats", "sched_debug", "scsi"],
  ...["timer_list", "timer_stats"],
];

/** Arguments that come after `--proc /proc`. The kernel decides which of the entries there are. */
export function procArguments(): string[] {
  known ??= [
    ...READ_ONLY.flatMap((name) => (kindOf(name) ? ["--ro-bind", path(name), path(name)] : [])),
    ...HIDDEN.flatMap((name) => hide(path(name), kindOf(name))),
  ];
  return known;
}

let known: string[] | null = null;

function hide(target: string, kind: "folder" | "file" | null): string[] {
  if (kind === "folder") return ["--tmpfs", target, "--remount-ro", target];
  return kind === "file" ? ["--ro-bind", "/dev/null", target] : [];
}

function kindOf(name: string): "folder" | "file" | null {
  const stat = statSync(path(name), { throwIfNoEntry: false });
  return stat ? (stat.isDirectory() ? "folder" : "file") : null;
}

function path(name: string): string {
  return `/proc/${name}`;
}
