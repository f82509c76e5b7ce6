import { readConfigFile } from "./config-file.js";
import { checkFields, environmentFields } from "./fields.js";

export type ProviderName = "claude" | "openai";

/** US dollars for a million tokens. The cache's prices are those of the input unless given. */
export interface Price {
  input: number;
  output: number;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
}

/** What is not set here comes from the file, then from the environment. */
export interface ModelConfig {
  provider?: ProviderName | undefined;
  model?: string | undefined;
  /** The most tokens that an answer may have, thinking included; 4096 by default. */
  maxTokens?: number | undefined;
  temperature?: number | undefined;
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  /** For one `run` from start to end, retries included; 600 by default. */
  requestTimeoutSec?: number | undefined;
  /** A stream that is silent for so long is taken as broken; 60 by default. */
  stallTimeoutSec?: number | undefined;
  /** How often a failed call is made anew; 5 by default. */
  maxRetries?: number | undefined;
  /** The first back-off is at most this long, and each further one up to twice as long; 1. */
  retryDelaySec?: number | undefined;
  contextTokens?: number | undefined;
  price?: Price | undefined;
  /** Claude: let the model decide how much to think, and show a summary of it. */
  thinking?: "adaptive" | undefined;
  /** Claude: the budget of models that take one; the newest refuse it. */
  thinkingTokens?: number | undefined;
  /** A file to write each call to. */
  record?: string | undefined;
  /** A recording to take the answers from. */
  replay?: string | undefined;
}

export interface ConfigSources extends ModelConfig {
  /** A JSON file with the same fields. */
  configFile?: string | undefined;
}

type Environment = Record<string, string | undefined>;

/** Code first, then the file, then the environment; each field on its own. */
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
