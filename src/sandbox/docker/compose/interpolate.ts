const VARIABLE =
  /\$(?:\$|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?:(:?[-?+])((?:[^{}]|\$\{[^{}]*\})*))?\})/g;

/** Substitutes variables in the text of a compose file, by the rules of Compose. */
export function interpolate(text: string, variables: Record<string, string | undefined>): string {
  return text.replace(VARIABLE, (whole, plain, braced, operator, word) => {
    if (whole === "$$") return "$";
    const name: string = plain ?? braced;
    const value = variables[name];
    if (operator === undefined) return value ?? "";
    const usable = operator.startsWith(":")
      ? value !== undefined && value !== ""
      : value !== undefined;
    if (operator.endsWith("+")) return usable ? interpolate(word, variables) : "";
    if (usable) return value as string;
    if (operator.endsWith("?")) throw new Error(word || `the variable ${name} is not set`);
    return interpolate(word, variables);
  });
}
