/** What the user says of all sandboxes of a run. */
export interface ProviderOptions {
  /** For tasks that bring no image. */
  defaultImage: string;
  /** Fewer privileges than the engine's default. */
  hardened?: boolean;
}
