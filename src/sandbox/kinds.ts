import { TermRunError } from "../errors.js";
import type { Abilities, SandboxProvider } from "../interfaces/index.js";
import { BUBBLEWRAP_ABILITIES, DOCKER_ABILITIES, LOCAL_ABILITIES } from "./abilities.js";
import { openBubblewrap } from "./bubblewrap/open.js";
import { openLocal } from "./local/open.js";
import type { OpenedKind } from "./opened-kind.js";
import type { ProviderOptions } from "./provider-options.js";

export const DEFAULT_IMAGE = "debian:bookworm-slim";

interface SandboxKind {
  kind: string;
  summary: string;
  abilities: Abilities;
  /** `auto` tries only the others. */
  byNameOnly: boolean;
  open(options: ProviderOptions): Promise<OpenedKind>;
}

/** Every kind of sandbox, in the order in which `auto` tries them. */
export const SANDBOX_KINDS: readonly SandboxKind[] = [
  {
    kind: "docker",
    summary: "a container for each trial",
    abilities: DOCKER_ABILITIES,
    byNameOnly: false,
    // Loaded only when asked for: the client is most of the start-up time.
    open: async (options) => (await import("./docker/open.js")).openDocker(options),
  },
  {
    kind: "bubblewrap",
    summary: "namespaces over the host's own programs; Linux only",
    abilities: BUBBLEWRAP_ABILITIES,
    byNameOnly: false,
    open: openBubblewrap,
  },
  {
    kind: "local",
    summary: "no isolation: the host itself, in a scratch folder; Linux only",
    abilities: LOCAL_ABILITIES,
    byNameOnly: true,
    open: openLocal,
  },
];

/** The values of `--sandbox`. */
export const SANDBOX_CHOICES: readonly string[] = [
  "auto",
  ...SANDBOX_KINDS.map(({ kind }) => kind),
];

/** Opens the kind that was asked for; `auto` is the first that can be used here. */
export async function openProvider(
  kind: string,
  options: ProviderOptions,
  kinds = SANDBOX_KINDS,
): Promise<{ provider: SandboxProvider; notice: string | null }> {
  if (kind === "auto") return openFirst(kinds, options);
  const wanted = kinds.find((entry) => entry.kind === kind);
  if (!wanted)
    throw new TermRunError("usage", `unknown sandbox: ${kind}`, {
      hint: `Choose one of ${SANDBOX_CHOICES.join(", ")}.`,
    });
  const opened = await wanted.open(options);
  if ("provider" in opened) return { provider: opened.provider, notice: opened.notice ?? null };
  throw new TermRunError("sandbox_unavailable", opened.reason, { hint: opened.hint });
}

async function openFirst(
  kinds: readonly SandboxKind[],
  options: ProviderOptions,
): Promise<{ provider: SandboxProvider; notice: string | null }> {
  const failed: { reason: string; hint: string }[] = [];
  const reasons = () => failed.map(({ reason }) => reason).join(", and ");
  for (const { kind, open } of kinds.filter(({ byNameOnly }) => !byNameOnly)) {
    const opened = await open(options);
    if ("provider" in opened) {
      const choice = failed.length === 0 ? [] : [`using ${kind}: ${reasons()}`];
      const notice = [...choice, ...(opened.notice ? [opened.notice] : [])].join("; ");
      return { provider: opened.provider, notice: notice || null };
    }
    // A user who configured this one wants it, not the next.
    if (opened.isConfigured)
      throw new TermRunError("sandbox_unavailable", opened.reason, { hint: opened.hint });
    failed.push(opened);
  }
  const hints = failed.map(({ hint }) => `\n  ${hint}`).join("");
  throw new TermRunError("sandbox_unavailable", `no sandbox is available: ${reasons()}`, {
    hint: `Set up one of these:${hints}`,
  });
}
