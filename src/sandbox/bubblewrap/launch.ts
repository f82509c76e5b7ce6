/**
 * Enters the cgroups, becomes the sandbox's user and starts the program, with the filter as 8 and
 * the namespace of processes, if it joins one, as 9.
 */
const LAUNCH = `entrances=$1 filter=$2 pid=$3 nsenter=$4 uid=$5
shift 5
IFS='
'
for file in $entrances; do echo 0 >"$file" || exit 1; done
unset IFS
exec 8<"$filter"
[ -z "$pid" ] || exec 9<"/proc/$pid/ns/pid"
exec \${uid:+"$nsenter" --setgid "$uid" --setuid "$uid" --} "$@"`;

/** bwrap's options that use what the script opened. */
export const FILTERED = ["--seccomp", "8"];
export const IN_NAMESPACE = ["--pidns", "9"];

/** What every process of a sandbox is started with. */
export interface Surroundings {
  nsenter: string;
  /** The file with the filter of system calls. */
  filter: string;
  /** null: the caller. */
  uid: number | null;
}

export interface LaunchOptions extends Surroundings {
  entrances: readonly string[];
  /** The first process of the namespaces to join; null: none. */
  join: number | null;
}

/** A command line of the host that starts a program where the sandbox's processes belong. */
export function launch(
  argv: readonly string[],
  { entrances, filter, join, nsenter, uid }: LaunchOptions,
): { file: string; args: string[] } {
  const words = [entrances.join("\n"), filter, join ?? "", nsenter, uid ?? ""].map(String);
  return { file: "/bin/sh", args: ["-c", LAUNCH, "sh", ...words, ...argv] };
}
