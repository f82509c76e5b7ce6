/** What a Dockerfile copies out of its build context. */
export interface Copy {
  line: number;
  sources: string[];
}

const COPY = /^(?:ONBUILD\s+)?(?:COPY|ADD)\s+(.*)$/i;
const HEREDOC = /<<-?\s*["']?(\w+)["']?/;

/** The COPY and ADD instructions; what comes from other images or the network is left out. */
export function readCopies(text: string): Copy[] {
  return joinLines(text).flatMap(({ line, content }) => {
    const rest = COPY.exec(content)?.[1];
    if (rest === undefined) return [];
    const { flags, words } = splitWords(rest);
    if (flags.some((flag) => flag.startsWith("--from="))) return [];
    const sources = words
      .slice(0, -1)
      .filter((word) => !/^(https?|git|ssh):|^git@|^<</.test(word))
      .map(normalize);
    return sources.length > 0 ? [{ line, sources }] : [];
  });
}

/** Joins continued lines; comments, blank lines and here-documents aren't instructions. */
function joinLines(text: string): { line: number; content: string }[] {
  const joined: { line: number; content: string }[] = [];
  let open: { line: number; content: string } | null = null;
  let until: string | null = null;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    if (until !== null) {
      if (raw.trim() === until) until = null;
      continue;
    }
    if (/^\s*(#|$)/.test(raw)) continue;
    open ??= { line: index + 1, content: "" };
    const continues = /\\\s*$/.test(raw);
    open.content += ` ${raw.replace(/\\\s*$/, "").trim()}`;
    if (continues) continue;
    const content = open.content.trim();
    if (/^(RUN|COPY|ADD)\b/i.test(content)) until = HEREDOC.exec(content)?.[1] ?? null;
    joined.push({ line: open.line, content });
    open = null;
  }
  return joined;
}

function splitWords(rest: string): { flags: string[]; words: string[] } {
  const all = rest.trim().split(/\s+/);
  const first = all.findIndex((word) => !word.startsWith("--"));
  const words = first === -1 ? [] : all.slice(first);
  const flags = first === -1 ? all : all.slice(0, first);
  return { flags, words: parseList(words.join(" ")) ?? words };
}

/** `["from", "to"]`, the form for names with blanks. */
function parseList(text: string): string[] | null {
  try {
    const list = text.startsWith("[") ? JSON.parse(text) : null;
    return Array.isArray(list) ? list.map(String) : null;
  } catch {
    return null;
  }
}

/** Sources are always below the context, however they are written. */
function normalize(source: string): string {
  const parts = source.replace(/^["']|["']$/g, "").split("/");
  return parts.filter((part) => part !== "" && part !== "." && part !== "..").join("/");
}
