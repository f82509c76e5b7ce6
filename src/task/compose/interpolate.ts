export type Variables = Readonly<Record<string, string | undefined>>;

/** A variable that the file can't do without. */
export class VariableNotSet extends Error {}

const SIMPLE = /[A-Za-z_]\w*/y;
const BRACED = /([A-Za-z_]\w*)(?:(:?[-?+])([\s\S]*))?$/y;

/** Substitutes variables in a value of a compose file, by the rules of Compose. */
export function interpolate(text: string, variables: Variables): string {
  let result = "";
  for (let at = 0; at < text.length; ) {
    const dollar = text.indexOf("$", at);
    if (dollar === -1) return result + text.slice(at);
    result += text.slice(at, dollar);
    at = dollar + 1;
    SIMPLE.lastIndex = at;
    const name = SIMPLE.exec(text)?.[0];
    if (text[at] === "$") {
      result += "$";
      at++;
    } else if (name !== undefined) {
      result += variables[name] ?? "";
      at += name.length;
    } else if (text[at] === "{") {
      const end = closingBrace(text, at);
      result += substitute(text.slice(at + 1, end), variables);
      at = end + 1;
    } else result += "$";
  }
  return result;
}

function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "{" && (at === open || text[at - 1] === "$")) depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  throw new Error(`has a \${ without a }: ${text}`);
}

function substitute(inner: string, variables: Variables): string {
  BRACED.lastIndex = 0;
  const match = BRACED.exec(inner);
  if (!match) throw new Error(`has \${${inner}}, which is not a variable`);
  const [, name = "", operator, word = ""] = match;
  const value = variables[name];
  if (operator === undefined) return value ?? "";
  const usable = value !== undefined && (value !== "" || !operator.startsWith(":"));
  if (operator.endsWith("+")) return usable ? interpolate(word, variables) : "";
  if (usable) return value;
  if (operator.endsWith("-")) return interpolate(word, variables);
  const why = interpolate(word, variables);
  throw new VariableNotSet(`needs the variable ${name}${why ? `: ${why}` : ", which is not set"}`);
}
