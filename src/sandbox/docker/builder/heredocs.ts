import type { BuildInput } from "./context.js";
import { type Heredoc, type Instruction, readInstructions } from "./dockerfile.js";

/** Where the files are that come from here-documents. */
const FOLDER = ".term-run-heredocs";
const DEFAULT_SHELL = ["/bin/sh", "-c"];
const RUNNABLE = 0o755;
const PLAIN = 0o644;

/**
 * The same build without here-documents, for builders that don't know them; null if one of them can't
 * be said in another way. All other lines keep their numbers.
 */
export function withoutHeredocs(input: BuildInput): BuildInput | null {
  const lines = input.dockerfile.split(/\r?\n/);
  const extraFiles = [...input.extraFiles];
  const shells = new Map<string, string[]>();
  let stage = "";
  for (const instruction of readInstructions(input.dockerfile)) {
    const { keyword, rest, heredocs, line, lastLine } = instruction;
    if (keyword === "FROM") {
      const [, from = "", name = ""] = /^(\S+)(?:\s+AS\s+(\S+))?/i.exec(rest) ?? [];
      stage = name.toLowerCase() || `line ${line}`;
      shells.set(stage, shells.get(from.toLowerCase()) ?? DEFAULT_SHELL);
    }
    if (keyword === "SHELL") shells.set(stage, JSON.parse(rest));
    if (heredocs.length === 0) continue;
    const write = (heredoc: Heredoc, mode: number) => {
      const path = `${FOLDER}/${line}/${heredoc.name}`;
      extraFiles.push({ path, text: contentOf(heredoc), mode });
      return path;
    };
    const said =
      keyword === "RUN"
        ? sayRun(instruction, shells.get(stage) ?? DEFAULT_SHELL, write)
        : sayCopy(instruction, write);
    if (said === null) return null;
    lines.fill("", line - 1, lastLine);
    lines[line - 1] = said;
  }
  return { ...input, dockerfile: lines.join("\n"), extraFiles };
}

type Write = (heredoc: Heredoc, mode: number) => string;

function sayRun({ flags, rest, heredocs }: Instruction, shell: string[], write: Write): string {
  const [first, ...others] = heredocs as [Heredoc, ...Heredoc[]];
  const isAlone = others.length === 0 && /^<<\S+$/.test(rest);
  if (isAlone && first.body.startsWith("#!")) {
    const target = `/dev/pipes/${first.name}`;
    const mount = `--mount=type=bind,source=${write(first, RUNNABLE)},target=${target}`;
    return ["RUN", ...flags, mount, JSON.stringify([target])].join(" ");
  }
  const script = isAlone
    ? contentOf(first)
    : heredocs.reduce((text, { name, body }) => `${text}\n${body}${name}`, rest);
  return ["RUN", ...flags, JSON.stringify([...shell, script])].join(" ");
}

function sayCopy({ keyword, flags, rest, heredocs }: Instruction, write: Write): string | null {
  // What a variable stands for, only the builder knows.
  if (heredocs.some(({ expands, body }) => expands && /[$\\]/.test(body))) return null;
  const files = heredocs.map((heredoc) => write(heredoc, PLAIN));
  let at = 0;
  const words = rest.split(/\s+/).map((word) => (word.startsWith("<<") ? files[at++] : word));
  return [keyword, ...flags, ...words].join(" ");
}

function contentOf({ chomps, body }: Heredoc): string {
  return chomps ? body.replace(/^\t+/gm, "") : body;
}
