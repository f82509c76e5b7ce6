import type { SandboxProvider } from "../interfaces/index.js";

/** A kind of sandbox that can be used here, or why it can't. */
export type OpenedKind = AvailableKind | UnavailableKind;

interface AvailableKind {
  provider: SandboxProvider;
  /** What it can't do on this machine, for the user to know. */
  notice?: string | null;
}

interface UnavailableKind {
  reason: string;
  hint: string;
  /** The user's settings name it, so nothing else may take its place. */
  isConfigured: boolean;
}
