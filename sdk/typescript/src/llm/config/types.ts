export type ProviderName = "claude" | "openai";

/** US dollars per million tokens. Cache prices default to the input price. */
export interface Price {
  input: number;
  output: number;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
}

/** Fields not set here come from the file, then from the environment. */
export interface ModelConfig {
  provider?: ProviderName | undefined;
  model?: string | undefined;
  /** Maximum tokens per response, including thinking. Default: 4096. */
  maxTokens?: number | undefined;
  temperature?: number | undefined;
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  /** For one `run`, including retries. Default: 600. */
  requestTimeoutSec?: number | undefined;
  /** A stream silent for this long counts as broken. Default: 60. */
  stallTimeoutSec?: number | undefined;
  /** How often a failed call is retried. Default: 5. */
  maxRetries?: number | undefined;
  /** Maximum first back-off; it doubles with each retry. Default: 1. */
  retryDelaySec?: number | undefined;
  contextTokens?: number | undefined;
  price?: Price | undefined;
  /** Claude: the model decides how much to think, and returns a summary. */
  thinking?: "adaptive" | undefined;
  /** Claude: thinking budget, for models that support one; the newest reject it. */
  thinkingTokens?: number | undefined;
  /** A file to record calls to. */
  record?: string | undefined;
  /** A recording to replay responses from. */
  replay?: string | undefined;
}
