import { type Command, InvalidArgumentError } from "commander";
import type { DownloadLimits } from "../interfaces/index.js";

export interface ArtifactLimitFlags {
  artifactLimit?: Partial<DownloadLimits>;
}

const NAMES: Record<string, keyof DownloadLimits> = {
  total: "bytes",
  file: "fileBytes",
  entries: "entries",
  depth: "depth",
  name: "nameBytes",
};
const UNITS: Record<string, number> = { "": 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

export function addArtifactLimitOption(command: Command): Command {
  return command.option(
    "--artifact-limit <name=n>",
    "what may be copied out of a sandbox: total, file (such as 2G), entries, depth, name (repeatable)",
    addLimit,
  );
}

function addLimit(text: string, before: Partial<DownloadLimits> = {}): Partial<DownloadLimits> {
  const [, name = "", number = "", unit = ""] =
    /^([a-z]+)=(\d{1,12})([kmg]?)(?:i?b)?$/i.exec(text) ?? [];
  const limit = NAMES[name.toLowerCase()];
  const value = Number(number) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  if (!limit || !Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError(
      `It must be ${Object.keys(NAMES).join(", ")} with a whole number, such as total=2G or entries=500000.`,
    );
  return { ...before, [limit]: value };
}
