import { isSecret, isWithheld, listSecretValues } from "./secret-variables.js";

export interface AgentEnvironment {
  env: Record<string, string>;
  /** Names that were withheld from the agent. */
  withheld: string[];
  /** Values that must not appear in any log. */
  secrets: string[];
  /** Names that `--env` asked for and that are not set. */
  unset: string[];
}

/** The caller's environment without credentials, plus what `--env NAME` or `NAME=value` names. */
export function filterEnvironment(caller: NodeJS.ProcessEnv, allowed: string[]): AgentEnvironment {
  const env: Record<string, string> = {};
  const withheld: string[] = [];
  const unset: string[] = [];
  const secrets = new Set<string>();
  const addSecrets = (name: string, value: string) => {
    if (isSecret(name, value)) for (const secret of listSecretValues(value)) secrets.add(secret);
  };
  for (const [name, value] of Object.entries(caller)) {
    if (value === undefined) continue;
    if (isWithheld(name, value)) withheld.push(name);
    else env[name] = value;
    addSecrets(name, value);
  }
  for (const entry of allowed) {
    const at = entry.indexOf("=");
    const name = at === -1 ? entry : entry.slice(0, at);
    const value = at === -1 ? caller[name] : entry.slice(at + 1);
    if (value === undefined) {
      unset.push(name);
      continue;
    }
    env[name] = value;
    addSecrets(name, value);
  }
  return {
    env,
    withheld: withheld.filter((name) => !(name in env)).sort(),
    secrets: [...secrets],
    unset,
  };
}
