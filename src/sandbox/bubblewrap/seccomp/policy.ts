/** What a filter makes of a system call. */
export type Verdict = "allow" | "refuse" | "unknown" | Condition;

/** Allowed for some values of an argument. */
export interface Condition {
  argument: number;
  /** Which of its bits count; missing: all. */
  mask?: number;
  values: readonly number[];
  /** Whether these values are the allowed ones, or the refused ones. */
  are: "allowed" | "refused";
}

/**
 * Docker's default for a container without capabilities: everything is allowed but this. What isn't
 * in the table of calls is unknown, so that programs fall back to an older call.
 */
export function verdictOn(name: string): Verdict {
  return CONDITIONS[name] ?? (NAMES.has(name) ? "refuse" : "allow");
}

const REFUSED = `
  add_key keyctl request_key
  bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register
  chroot fsconfig fsmount fsopen fspick mount mount_setattr move_mount open_tree pivot_root umount2
  setns unshare
  fanotify_init lookup_dcookie open_by_handle_at quotactl quotactl_fd
  sethostname setdomainname syslog vhangup acct reboot swapon swapoff
  clock_settime settimeofday
  kexec_load kexec_file_load create_module delete_module finit_module init_module
  get_kernel_syms query_module
  ioperm iopl
  kcmp pidfd_getfd process_madvise
  get_mempolicy mbind migrate_pages move_pages set_mempolicy set_mempolicy_home_node
  lsm_get_self_attr lsm_set_self_attr lsm_list_modules
  _sysctl afs_syscall getpmsg nfsservctl putpmsg security sysfs tuxcall uselib ustat vserver
`;

const NAMES = new Set(REFUSED.trim().split(/\s+/));

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const NEW_NAMESPACES = 0x7e020000;
const AF_ALG = 38;
const AF_VSOCK = 40;
/** They put keys into a terminal's input, which may be a person's. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** Linux and 32-bit Linux, with and without UNAME26, and the question which it is. */
const PERSONALITIES = [0, 8, 0x20000, 0x20008, 0xffffffff];

const CONDITIONS: Record<string, Verdict> = {
  clone: { argument: 0, mask: NEW_NAMESPACES, values: [0], are: "allowed" },
  // Its flags are in memory, where a filter can't look: libc falls back to clone.
  clone3: "unknown",
  ioctl: { argument: 1, values: [TIOCSTI, TIOCLINUX], are: "refused" },
  personality: { argument: 0, values: PERSONALITIES, are: "allowed" },
  socket: { argument: 0, values: [AF_ALG, AF_VSOCK], are: "refused" },
};
