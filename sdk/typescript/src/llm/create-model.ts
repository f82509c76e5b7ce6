import { claudeProvider } from "./claude/claude.js";
import { type ConfigSources, loadConfig } from "./config/config.js";
import { resolveSettings } from "./config/settings.js";
import { AgentError } from "./errors.js";
import { openaiProvider } from "./openai/openai.js";
import { modelOf } from "./provider.js";
import { recordModel } from "./recording/record.js";
import { replayModel } from "./recording/replay.js";
import type { Model } from "./types.js";

/** A model configured in code, in a file or in the environment. Default provider: Claude. */
export function createModel(sources: ConfigSources = {}): Model {
  const config = loadConfig(sources);
  if (config.replay !== undefined) {
    if (config.record !== undefined) {
      throw new AgentError("invalid", "`record` and `replay` can't be set together");
    }
    return replayModel(config.replay);
  }
  const settings = resolveSettings(config);
  const provider = settings.provider === "claude" ? claudeProvider : openaiProvider;
  const model = modelOf(provider(settings), settings);
  return config.record === undefined ? model : recordModel(model, config.record);
}

export type ProviderConfig = Omit<ConfigSources, "provider">;

/** A Claude model, over Anthropic's API. */
export function claude(config: ProviderConfig = {}): Model {
  return createModel({ ...config, provider: "claude" });
}

/** An OpenAI model, or one on any server with a Chat Completions API: set `baseUrl`. */
export function openaiCompatible(config: ProviderConfig = {}): Model {
  return createModel({ ...config, provider: "openai" });
}
