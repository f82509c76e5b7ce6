import { splitWords } from "../../../shell-words.js";

/** One instruction of a Dockerfile, its continued lines joined. */
export interface Instruction {
  /** From 1; the last includes its here-documents. */
  line: number;
  lastLine: number;
  keyword: string;
  /** `--name=value` */
  flags: string[];
  /** What comes after the flags. */
  rest: string;
  heredocs: Heredoc[];
}

export interface Heredoc {
  name: string;
  /** `<<-`: tabs at the beginnings of its lines don't count. */
  chomps: boolean;
  /** Whether variables in it are replaced. */
  expands: boolean;
  /** As it is written. */
  body: string;
}

/** `# syntax=…` and the like, which count only above everything else. */
const DIRECTIVE = /^#\s*([a-z]+)\s*=\s*(.+?)\s*$/i;
const WITH_HEREDOCS = new Set(["RUN", "COPY", "ADD"]);
const HEREDOC = /(?:^|\s)\d*<<(-?)(["']?)([^\s<"'|&;()]+)\2(?=\s|$)/g;

export function readInstructions(text: string): Instruction[] {
  const lines = text.split(/\r?\n/);
  const continuation = readDirective(text, "escape") ?? "\\";
  const instructions: Instruction[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (isSkipped(lines[at] as string)) continue;
    const line = at + 1;
    let joined = "";
    for (; at < lines.length; at++) {
      const part = lines[at] as string;
      if (isSkipped(part)) continue;
      const isContinued = part.trimEnd().endsWith(continuation);
      joined += isContinued ? part.trimEnd().slice(0, -1) : part;
      if (!isContinued) break;
    }
    const instruction = { ...readWords(joined), line, heredocs: [] as Heredoc[] };
    for (const opening of openingsOf(instruction)) {
      const from = at + 1;
      do at++;
      while (at < lines.length && !ends(lines[at] as string, opening));
      const body = lines.slice(from, at).map((part) => `${part}\n`);
      instruction.heredocs.push({ ...opening, body: body.join("") });
    }
    instructions.push({ ...instruction, lastLine: Math.min(at, lines.length - 1) + 1 });
  }
  return instructions;
}

/** The value of a `# name=value` line at the top. */
export function readDirective(text: string, name: string): string | null {
  for (const line of text.split(/\r?\n/)) {
    const found = DIRECTIVE.exec(line);
    if (!found) return null;
    if (found[1]?.toLowerCase() === name) return found[2] as string;
  }
  return null;
}

/** The text without such a line; the others keep their numbers. */
export function withoutDirective(text: string, name: string): string {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => DIRECTIVE.exec(line)?.[1]?.toLowerCase() === name);
  const end = lines.findIndex((line) => !DIRECTIVE.test(line));
  const after = end === -1 ? lines.length : end;
  return [...lines.slice(0, at), ...lines.slice(at + 1, after), "", ...lines.slice(after)].join(
    "\n",
  );
}

function isSkipped(line: string): boolean {
  return /^\s*(#|$)/.test(line);
}

function readWords(joined: string): Pick<Instruction, "keyword" | "flags" | "rest"> {
  const [, keyword = "", arguments_ = ""] = /^\s*(\S+)\s*([\s\S]*)$/.exec(joined) ?? [];
  const [flags = ""] = /^(--[a-z][a-z-]*(=("[^"]*"|\S)*)?(\s+|$))*/.exec(arguments_) ?? [];
  return {
    keyword: keyword.toUpperCase(),
    flags: splitWords(flags),
    rest: arguments_.slice(flags.length).trim(),
  };
}

function openingsOf({ keyword, rest }: Pick<Instruction, "keyword" | "rest">) {
  if (!WITH_HEREDOCS.has(keyword)) return [];
  return [...rest.matchAll(HEREDOC)].map(([, dash, quote, name]) => ({
    name: name as string,
    chomps: dash === "-",
    expands: quote === "",
  }));
}

function ends(line: string, { name, chomps }: Pick<Heredoc, "name" | "chomps">): boolean {
  return (chomps ? line.replace(/^\t+/, "") : line) === name;
}
