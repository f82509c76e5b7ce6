import { interpolate, type Variables } from "./interpolate.js";

const ESCAPES: Record<string, string> = {
  a: "\x07",
  b: "\b",
  c: "\\c",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  '"': '"',
  "\\": "\\",
  // For the interpolation that follows.
  $: "$$",
};
const KEY = /(?:export[^\S\n]+)?([\p{L}\p{N}_.\-[\]]+)[^\S\n]*(=|:|\n|$)[^\S\n]*/uy;

/**
 * Reads an env file as Compose does: `export`, comments, quotes over several lines, escapes and
 * variables. A name alone takes the value from outside, if it is set there.
 */
export function readEnvFile(text: string, outside: Variables): Record<string, string> {
  const found: Record<string, string> = {};
  const source = text.replaceAll("\r\n", "\n");
  for (let at = skipToStatement(source, 0); at < source.length; at = skipToStatement(source, at)) {
    KEY.lastIndex = at;
    const [whole, name = "", separator] = KEY.exec(source) ?? [];
    if (whole === undefined)
      throw new Error(`line ${lineAt(source, at)} is not NAME=value: ${restOfLine(source, at)}`);
    at += whole.length;
    if (separator !== "=" && separator !== ":") {
      const value = outside[name];
      if (value !== undefined) found[name] = value;
      continue;
    }
    // What is set outside takes precedence, as in Compose.
    const [value, end] = readValue(source, at, { ...found, ...outside });
    found[name] = value;
    at = end;
  }
  return found;
}

/** The format `raw`: values are taken as they are. */
export function readRawEnvFile(text: string, outside: Variables): Record<string, string> {
  const found: Record<string, string> = {};
  for (const line of text.split(/\r?\n/).map((each) => each.trimStart())) {
    if (line === "" || line.startsWith("#")) continue;
    const [, name = "", value] = /^([^=]*)(?:=(.*))?$/.exec(line) ?? [];
    const given = value ?? outside[name];
    if (given !== undefined) found[name] = given;
  }
  return found;
}

function readValue(source: string, at: number, variables: Variables): [string, number] {
  const quote = source[at];
  if (quote !== '"' && quote !== "'") {
    const line = restOfLine(source, at);
    const [value = ""] = line.split(" #");
    return [interpolate(value.trimEnd(), variables), at + line.length];
  }
  let value = "";
  for (let end = at + 1; end < source.length; end++) {
    const char = source[end];
    if (char === quote)
      return [quote === "'" ? value : interpolate(unescapeText(value), variables), end + 1];
    if (char !== "\\") value += char;
    else if (source[end + 1] === quote) value += source[++end];
    else value += `\\${source[++end] ?? ""}`;
  }
  throw new Error(`line ${lineAt(source, at)} has a ${quote} without an end`);
}

function unescapeText(text: string): string {
  return text.replace(/\\(?:0(\d{1,3})|([abcfnrtv$"\\]))/g, (_, octal, letter) =>
    octal ? String.fromCharCode(Number.parseInt(octal, 8)) : (ESCAPES[letter] as string),
  );
}

function skipToStatement(source: string, from: number): number {
  const rest = /(?:\s+|#[^\n]*)*/y;
  rest.lastIndex = from;
  return from + (rest.exec(source)?.[0].length ?? 0);
}

function restOfLine(source: string, at: number): string {
  const end = source.indexOf("\n", at);
  return source.slice(at, end === -1 ? source.length : end);
}

function lineAt(source: string, at: number): number {
  return source.slice(0, at).split("\n").length;
}
