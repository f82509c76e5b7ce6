const TEMPLATE = /^\$\{([A-Za-z_]\w*)(?::-(.*))?\}$/s;

/** A value that names a variable which isn't set. */
export interface MissingVariable {
  name: string;
  template: string;
  variable: string;
}

/** Fills in values that are one whole `${NAME}` or `${NAME:-default}` from the caller's environment. */
export function fillTemplates(
  templates: Record<string, string>,
  caller: NodeJS.ProcessEnv = process.env,
): { values: Record<string, string>; missing: MissingVariable[] } {
  const values: Record<string, string> = {};
  const missing: MissingVariable[] = [];
  for (const [name, template] of Object.entries(templates)) {
    const match = TEMPLATE.exec(template);
    const variable = match?.[1] ?? "";
    const value = match ? (caller[variable] ?? match[2]) : template;
    if (value === undefined) missing.push({ name, template, variable });
    else values[name] = value;
  }
  return { values, missing };
}
