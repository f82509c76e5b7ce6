import { TermRunError } from "../errors.js";

const TEMPLATE = /^\$\{([A-Za-z_]\w*)(?::-(.*))?\}$/s;

/** Fills in values that are one whole `${NAME}` or `${NAME:-default}` from the caller's environment. */
export function fillTemplates(
  values: Record<string, string>,
  where: string,
  caller: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const match = TEMPLATE.exec(value);
    const resolved = match ? (caller[match[1] as string] ?? match[2]) : value;
    if (resolved === undefined)
      throw new TermRunError(
        "task_unreadable",
        `${where}.${name} is ${value}, and ${match?.[1]} is not set in your environment`,
      );
    filled[name] = resolved;
  }
  return filled;
}
