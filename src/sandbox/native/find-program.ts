import { fileURLToPath } from "node:url";
import { TermRunError } from "../../errors.js";

/** The names that engines and Node give to an architecture. */
const ARCHITECTURES: Record<string, string> = {
  x64: "x64",
  amd64: "x64",
  x86_64: "x64",
  arm64: "arm64",
  aarch64: "arm64",
};

/** The host path of one of term-run's own programs; the C file of that name says what it does. */
export function findProgram(name: "init" | "egress", architecture: string): string {
  const suffix = ARCHITECTURES[architecture];
  if (suffix) return fileURLToPath(new URL(`${name}-${suffix}`, import.meta.url));
  throw new TermRunError("infra", `sandboxes on ${architecture} processors are not supported`, {
    hint: "Use an image for amd64 or arm64.",
  });
}
