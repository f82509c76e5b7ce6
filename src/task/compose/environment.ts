import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { messageOf } from "../../errors.js";
import type { Fields } from "../fields.js";
import { readText } from "../text.js";
import { readEnvFile, readRawEnvFile } from "./env-file.js";
import type { Scope } from "./scope.js";
import { pairs, text } from "./values.js";

/** `environment` over the files of `env_file`, later ones over earlier ones. */
export function readEnvironment(fields: Fields, scope: Scope): Record<string, string | null> {
  const { variables } = scope;
  const own = pairs(fields, "environment").map(([name, value]): [string, string | null] => [
    name,
    value ?? variables[name] ?? null,
  ]);
  return { ...readEnvFiles(fields, scope), ...Object.fromEntries(own) };
}

function readEnvFiles(fields: Fields, { dir, variables }: Scope): Record<string, string> {
  let found: Record<string, string> = {};
  const single = fields.raw("env_file");
  const entries =
    typeof single === "string"
      ? [fields.derived("env_file", { path: single })]
      : fields.tablesOr("env_file", "path");
  for (const entry of entries) {
    const path = entry.required("path");
    const file = resolve(dir, path);
    const isRequired = text(entry, "required") !== "false";
    const isRaw = text(entry, "format") === "raw";
    if (!existsSync(file)) {
      if (isRequired) throw fields.problem("env_file", `names ${path}, which doesn't exist`);
      continue;
    }
    try {
      const content = readText(file);
      const values = isRaw
        ? readRawEnvFile(content, variables)
        : readEnvFile(content, { ...found, ...variables });
      found = { ...found, ...values };
    } catch (error) {
      throw fields.problem("env_file", `names ${path}: ${messageOf(error)}`);
    }
  }
  return found;
}
