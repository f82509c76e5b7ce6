import { claudeProvider } from "./claude/claude.js";
import { type ConfigSources, loadConfig } from "./config/config.js";
import { settle } from "./config/settings.js";
import { AgentError } from "./errors.js";
import { openaiProvider } from "./openai/openai.js";
import { modelOf } from "./provider.js";
import { recordModel } from "./recording/record.js";
import { replayModel } from "./recording/replay.js";
import type { Model } from "./types.js";

/** A model as configured in code, in a file or in the environment; Claude unless told otherwise. */
export function createModel(sources: ConfigSources = {}): Model {
  const config = loadConfig(sources);
  if (config.replay !== undefined) {
    if (config.record !== undefined) {
      throw new AgentError("invalid", "`record` and `replay` can't be set together");
    }
    return replayModel(config.replay);
  }
  const settings = settle(config);
  const provider = settings.provider === "claude" ? claudeProvider : openaiProvider;
  const model = modelOf(provider(settings), settings);
  return config.record === undefined ? model : recordModel(model, config.record);
}

export type ProviderConfig = Omit<ConfigSources, "provider">;

/** A Claude model, by Anthropic's API. */
export function claude(config: ProviderConfig = {}): Model {
  return createModel({ ...config, provider: "claude" });
}

/** A model of OpenAI, or of any server that speaks its chat completions: set `baseUrl`. */
export function openaiCompatible(config: ProviderConfig = {}): Model {
  return createModel({ ...config, provider: "openai" });
}
