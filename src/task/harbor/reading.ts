import type { Fields } from "../fields.js";
import { fillTemplates, type MissingVariable } from "../templates.js";

/** What is collected while one task is read. */
export interface Reading {
  dir: string;
  warnings: string[];
  /** Reasons why no sandbox can honour the task. */
  unsupported: string[];
}

/** An `env` table; a variable that isn't set is a reason not to run the task. */
export function readEnv(fields: Fields, reading: Reading): Record<string, string> {
  const { values, missing } = fillTemplates(fields.strings("env"));
  for (const variable of missing)
    reading.unsupported.push(`${fields.nameOf(["env", variable.name])} ${describe(variable)}`);
  return values;
}

/** The solution's `env`, which only the oracle needs: variables that aren't set are left out. */
export function readSolutionEnv(fields: Fields, reading: Reading): Record<string, string> {
  const { values, missing } = fillTemplates(fields.strings("env"));
  for (const variable of missing)
    reading.warnings.push(fields.warning(["env", variable.name], describe(variable)));
  return values;
}

function describe({ template, variable }: MissingVariable): string {
  return `is ${template}, and ${variable} is not set in your environment`;
}
