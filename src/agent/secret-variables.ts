/** Ends of names, after an underscore or alone. */
const WORDS = [
  "KEYS?|KEY_ID|KEY_BASE|TOKENS?|PATS?|AUTH|AUTHORIZATION|BEARER|JWT|PASS|PWD|CREDS?|COOKIES?|MNEMONIC",
  "DSN|CONN_STR|CONNSTR|SAS|NETRC|AUTH_HEADER|AUTH_CONFIG|ACCOUNT_JSON",
  "(?:DATABASE|POSTGRES|POSTGRESQL|MYSQL|MONGO|MONGODB|REDIS|AMQP|RABBITMQ|CLOUDAMQP)_(?:URL|URI)",
].join("|");
/** Ends of names, whatever comes before them. */
const ENDS = [
  "SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEYS?|ACCESSKEY|TOKEN",
  "CONNECTION_?STRING|WEBHOOK|WEBHOOKS|WEBHOOK_UR[LI]",
].join("|");
const SECRET_NAME = new RegExp(`(?:^|_)(?:${WORDS})$|(?:${ENDS})$`, "i");
/** The shell's own, and what is no credential though it looks like one. */
const ORDINARY_NAMES = new Set(["PWD", "OLDPWD"]);
/** A model's limit, such as MAX_TOKENS=4096. */
const COUNT_NAME = /_TOKENS$/i;
const COUNT = /^\d{1,8}$/;
/** Settings rather than credentials. */
const ORDINARY_VALUE =
  /^(true|false|enabled?|disabled?|required?|optional|default|always|never|none|basic)$/i;
/** Withheld, though their values, such as a path or a region, are no secrets. */
const WITHHELD_NAME = /^AWS_|^KUBECONFIG$|^DOCKER_CONFIG$/i;
const SECRET_VALUES = [
  // A URL that carries a password, or a long key in its place.
  /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i,
  /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]{16,}@/i,
  // Whoever knows the address of a webhook can use it.
  /^https:\/\/(hooks\.slack\.com|discord(app)?\.com\/api\/webhooks|[^/]*\.webhook\.office\.com)\//i,
  // Connection strings of Azure, SQL Server and others.
  /(^|;)\s*(password|pwd|accountkey|sharedaccesskey|sharedaccesssignature)\s*=\s*[^;\s]/i,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  // Keys that say what they are: GitHub, GitLab, Slack, AWS, OpenAI and Anthropic, Google, npm.
  /^(gh[opusr]_|github_pat_|glpat-|xox[abeprs]-|sk-(ant|proj|or)-|AIza|npm_[A-Za-z0-9]{20}|hf_[A-Za-z0-9]{20})/,
  /^(AKIA|ASIA)[A-Z0-9]{16}$/,
];
const URL_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^/\s@]+)@/i;
/** Shorter values would redact ordinary words. */
const MIN_SECRET_LENGTH = 6;

/** Whether an agent doesn't get a variable unless it is named. */
export function isWithheld(name: string, value: string): boolean {
  return isSecret(name, value) || WITHHELD_NAME.test(name);
}

/** Whether the value of a variable must not appear anywhere. */
export function isSecret(name: string, value: string): boolean {
  if (COUNT_NAME.test(name) && COUNT.test(value)) return false;
  if (ORDINARY_NAMES.has(name) || ORDINARY_VALUE.test(value)) return false;
  return SECRET_NAME.test(name) || SECRET_VALUES.some((pattern) => pattern.test(value));
}

/** The value itself, and the password in it if it is a URL. */
export function listSecretValues(value: string): string[] {
  const [, password] = URL_PASSWORD.exec(value) ?? [];
  const all = password === undefined ? [value] : [value, password, decode(password)];
  return all.filter((secret) => secret.length >= MIN_SECRET_LENGTH);
}

function decode(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
