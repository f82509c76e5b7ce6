/** Namespaces of its own for each process that a run starts on the host. */
export interface Leash {
  /** The full path of bubblewrap. */
  bwrap: string;
  /** What a program that isn't trusted must not see, beyond what no such program ever sees. */
  hidden: readonly string[];
}
