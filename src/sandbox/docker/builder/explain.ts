import { type Instruction, readDirective, readInstructions } from "./dockerfile.js";

export type Builder = "buildkit" | "classic";

interface Feature {
  name: string;
  /** null for a here-document. */
  flag: string | null;
  line: number;
  /** The first Docker whose own BuildKit has it; null if only the latest do. */
  since: string | null;
}

const FLAGS: Record<string, Record<string, string | null>> = {
  RUN: { mount: "20.10", network: "23.0", security: null, device: null },
  COPY: { chmod: "20.10", link: "23.0", parents: null, exclude: null },
  ADD: {
    chmod: "20.10",
    link: "23.0",
    checksum: "25.0",
    "keep-git-dir": "25.0",
    exclude: null,
    unpack: null,
  },
};

const COMPLAINT = /requires BuildKit|unknown flag|unknown instruction|parse error/i;
const FRONTEND = "docker/dockerfile:1";

/** Which feature a builder doesn't have, if that is why it failed, and what to do about it. */
export function explainFeature(
  message: string,
  dockerfile: string,
  builder: Builder,
): { why: string; hint: string } | null {
  const feature = findFeature(message, dockerfile);
  if (!feature) return null;
  const { name, line, since } = feature;
  const what = builder === "classic" ? "classic builder" : "own BuildKit";
  const cures = [
    since
      ? `use Docker ${since} or later, with BuildKit`
      : "use a newer Docker engine, with BuildKit",
    ...(builder === "buildkit" ? [frontendCure(dockerfile)] : []),
    `or write it without ${name}`,
  ].join(", ");
  return {
    why: `line ${line} of the Dockerfile uses ${name}, which the engine's ${what} doesn't have`,
    hint: `${cures.charAt(0).toUpperCase()}${cures.slice(1)}.`,
  };
}

function frontendCure(dockerfile: string): string {
  const syntax = readDirective(dockerfile, "syntax");
  if (syntax) return `let the engine reach the registry of ${syntax}`;
  return `put "# syntax=${FRONTEND}" into the first line if the engine can reach a registry`;
}

/** What of a Dockerfile a builder complains about; null if it is something else. */
export function findFeature(message: string, dockerfile: string): Feature | null {
  if (!COMPLAINT.test(message)) return null;
  const features = readInstructions(dockerfile).flatMap(featuresOf);
  const line = Number(/line (\d+)/.exec(message)?.[1] ?? 0);
  const flag = /(?:the --|flag: (?:--)?)([a-z-]+)/i.exec(message)?.[1] ?? null;
  const alike = features.filter((feature) => feature.flag === flag);
  // A here-document's first line is what the builder takes for an instruction.
  const before = alike.filter((feature) => feature.line <= line);
  return alike.find((feature) => feature.line === line) ?? before.at(-1) ?? alike[0] ?? null;
}

function featuresOf({ keyword, flags, heredocs, line }: Instruction): Feature[] {
  const found = flags.flatMap((text): Feature[] => {
    const [, flag = ""] = /^--([a-z-]+)/.exec(text) ?? [];
    const since = FLAGS[keyword]?.[flag];
    return since === undefined ? [] : [{ name: `${keyword} --${flag}`, flag, line, since }];
  });
  const expanded =
    keyword !== "RUN" && heredocs.some(({ expands, body }) => expands && /[$\\]/.test(body));
  const name = expanded ? "a here-document with variables" : "a here-document";
  return heredocs.length > 0 ? [...found, { name, flag: null, line, since: "23.0" }] : found;
}
