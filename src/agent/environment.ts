const SECRET_NAME =
  /(SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEY|_KEY|_KEYS|_TOKEN|_TOKENS|^KEY|^TOKEN)$/i;
/** A model's limit, such as MAX_TOKENS=4096. */
const COUNT_NAME = /_TOKENS$/i;
const COUNT = /^\d{1,8}$/;
const SECRET_NAMES = new Set(["DATABASE_URL", "REDIS_URL"]);
/** A URL that carries a password. */
const SECRET_VALUE = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i;
/** Shorter values would redact ordinary words. */
const MIN_SECRET_LENGTH = 6;

export interface AgentEnvironment {
  env: Record<string, string>;
  /** Names that were withheld from the agent. */
  withheld: string[];
  /** Values that must not appear in any log. */
  secrets: string[];
  /** Names that `--env` asked for and that are not set. */
  unset: string[];
}

export function isSecret(name: string, value: string): boolean {
  if (COUNT_NAME.test(name) && COUNT.test(value)) return false;
  return SECRET_NAME.test(name) || SECRET_NAMES.has(name) || SECRET_VALUE.test(value);
}

/** The caller's environment without credentials, plus what `--env NAME` or `NAME=value` names. */
export function filterEnvironment(caller: NodeJS.ProcessEnv, allowed: string[]): AgentEnvironment {
  const env: Record<string, string> = {};
  const withheld: string[] = [];
  const unset: string[] = [];
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(caller)) {
    if (value === undefined) continue;
    if (isSecret(name, value)) {
      withheld.push(name);
      secrets.add(value);
    } else env[name] = value;
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
    if (isSecret(name, value)) secrets.add(value);
  }
  return {
    env,
    withheld: withheld.filter((name) => !(name in env)).sort(),
    secrets: [...secrets].filter((value) => value.length >= MIN_SECRET_LENGTH),
    unset,
  };
}
