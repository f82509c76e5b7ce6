import type { Fields } from "../fields.js";
import { fillTemplates, type Lack } from "../templates.js";

/** What comes to light while one task is read. */
export interface Reading {
  dir: string;
  warnings: string[];
  /** Reasons why no sandbox can honour the task. */
  unsupported: string[];
}

/** An `env` table; a variable that the caller lacks is a reason not to run the task. */
export function readEnv(fields: Fields, reading: Reading): Record<string, string> {
  const { values, missing } = fillTemplates(fields.strings("env"));
  for (const lack of missing)
    reading.unsupported.push(`${fields.nameOf(["env", lack.name])} ${describe(lack)}`);
  return values;
}

/** The solution's `env`, which only the oracle needs: what the caller lacks is left out. */
export function readSolutionEnv(fields: Fields, reading: Reading): Record<string, string> {
  const { values, missing } = fillTemplates(fields.strings("env"));
  for (const lack of missing)
    reading.warnings.push(fields.remark(["env", lack.name], describe(lack)));
  return values;
}

function describe({ template, variable }: Lack): string {
  return `is ${template}, and ${variable} is not set in your environment`;
}
