import { AgentError } from "../errors.js";
import { knownModel } from "../known-models.js";
import type { ModelConfig, Price, ProviderName } from "./types.js";

/** A complete configuration, with defaults applied. */
export interface Settings {
  provider: ProviderName;
  model: string;
  /** Null if none is needed. */
  apiKey: string | null;
  /** The variable that usually holds it. */
  keyVariable: string;
  /** Null for the provider's own. */
  baseUrl: string | null;
  maxTokens: number;
  temperature: number | null;
  requestTimeoutSec: number;
  stallTimeoutSec: number;
  maxRetries: number;
  retryDelaySec: number;
  contextTokens: number | null;
  price: Price | null;
  thinking: "adaptive" | null;
  thinkingTokens: number | null;
}

const CLAUDE = {
  model: "claude-sonnet-5-5",
  key: "ANTHROPIC_API_KEY",
  baseUrl: "ANTHROPIC_BASE_URL",
};
const OPENAI = { model: null, key: "OPENAI_API_KEY", baseUrl: "OPENAI_BASE_URL" };

/** Applies defaults. Throws if something required is missing, before any call is made. */
export function resolveSettings(
  config: ModelConfig,
  env: Record<string, string | undefined> = process.env,
): Settings {
  const provider = config.provider ?? "claude";
  const defaults = provider === "claude" ? CLAUDE : OPENAI;
  const model = config.model ?? defaults.model;
  if (model === null) {
    throw new AgentError("invalid", "no model set: set `model` or the variable TERM_MODEL");
  }
  const known = knownModel(model);
  const thinkingTokens = config.thinkingTokens ?? null;
  const maxTokens = config.maxTokens ?? 4096;
  if (thinkingTokens !== null) checkBudget(thinkingTokens, maxTokens, config);
  const baseUrl = config.baseUrl ?? (env[defaults.baseUrl] || null);
  const apiKey = config.apiKey ?? (env[defaults.key] || null);
  if (apiKey === null && !isLoopback(baseUrl)) throw missingKey(provider, defaults.key);
  return {
    provider,
    model,
    apiKey,
    keyVariable: defaults.key,
    baseUrl,
    maxTokens,
    temperature: config.temperature ?? null,
    requestTimeoutSec: config.requestTimeoutSec ?? 600,
    stallTimeoutSec: config.stallTimeoutSec ?? 60,
    maxRetries: config.maxRetries ?? 5,
    retryDelaySec: config.retryDelaySec ?? 1,
    contextTokens: config.contextTokens ?? known?.contextTokens ?? null,
    price: config.price ?? known?.price ?? null,
    thinking: config.thinking ?? (thinkingTokens === null ? (known?.thinking ?? null) : null),
    thinkingTokens,
  };
}

function checkBudget(thinkingTokens: number, maxTokens: number, config: ModelConfig): void {
  if (config.thinking !== undefined) {
    throw new AgentError("invalid", "`thinking` and `thinkingTokens` can't be set together");
  }
  if (thinkingTokens >= maxTokens) {
    const message = `thinkingTokens (${thinkingTokens}) must be less than maxTokens (${maxTokens}), which it is a part of`;
    throw new AgentError("invalid", message);
  }
}

function missingKey(provider: ProviderName, variable: string): AgentError {
  return new AgentError(
    "invalid",
    `no API key for provider "${provider}": set the variable ${variable}; ` +
      `under term-run, pass it to the agent with --env ${variable}`,
  );
}

/** A server on this machine, such as Ollama or vLLM, needs no key. */
function isLoopback(baseUrl: string | null): boolean {
  if (baseUrl === null || !URL.canParse(baseUrl)) return false;
  const { hostname } = new URL(baseUrl);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
