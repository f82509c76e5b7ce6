import { readConfigFile } from "./config-file.js";
import { checkFields, environmentFields } from "./fields.js";
import type { ModelConfig } from "./types.js";

export interface ConfigSources extends ModelConfig {
  /** A JSON file with the same fields. */
  configFile?: string | undefined;
}

type Environment = Record<string, string | undefined>;

/** Precedence for each field: code, file, environment. */
export function loadConfig(
  { configFile, ...code }: ConfigSources,
  env: Environment = process.env,
): ModelConfig {
  const file = configFile ?? env.TERM_MODEL_CONFIG;
  return {
    ...environmentFields(env),
    ...(file ? readConfigFile(file) : {}),
    ...checkFields(code, "the model's configuration"),
  };
}
