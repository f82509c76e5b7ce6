import { describe, expect, it } from "vitest";
import { filterEnvironment } from "../../src/agent/environment.js";
import { isSecret, isWithheld } from "../../src/agent/secret-variables.js";

describe("isSecret", () => {
  it.each([
    ["OPENAI_API_KEY", "sk-123456"],
    ["openai_api_key", "sk-123456"],
    ["AWS_SECRET_ACCESS_KEY", "x"],
    ["GITHUB_TOKEN", "x"],
    ["TOKEN", "x"],
    ["KEY", "x"],
    ["MYAPIKEY", "x"],
    ["SIGNING_KEYS", "x"],
    ["CI_TOKENS", "x"],
    ["CI_TOKENS", "123456789"],
    ["CI_TOKEN", "12345"],
    ["CLIENT_SECRET", "x"],
    ["PGPASSWORD", "x"],
    ["MYSQL_PASSWD", "x"],
    ["GPG_PASSPHRASE", "x"],
    ["GOOGLE_APPLICATION_CREDENTIALS", "/home/me/key.json"],
    ["DATABASE_URL", "anything"],
    ["REDIS_URL", "anything"],
    ["HTTPS_PROXY", "http://me:pass@proxy:8080"],
    ["BROKER", "amqp+tls://:pass@host/vhost"],
    ["GITHUB_PAT", "x"],
    ["AZURE_DEVOPS_EXT_PAT", "x"],
    ["NPM_CONFIG__AUTH", "x"],
    ["DOCKER_AUTH_CONFIG", "{}"],
    ["AZURE_STORAGE_CONNECTION_STRING", "x"],
    ["SERVICEBUS_CONNECTIONSTRING", "x"],
    ["SLACK_WEBHOOK", "x"],
    ["SLACK_WEBHOOK_URL", "x"],
    ["AWS_ACCESS_KEY_ID", "x"],
    ["AWS_SESSION_TOKEN", "x"],
    ["SENTRY_DSN", "x"],
    ["DB_PASS", "x"],
    ["MYSQL_PWD", "x"],
    ["POSTGRES_URL", "x"],
    ["MONGODB_URI", "x"],
    ["SECRET_KEY_BASE", "x"],
    ["GHTOKEN", "x"],
    ["CI_JOB_JWT", "x"],
    ["PLAIN", "ghp_0123456789abcdef0123456789abcdef0123"],
    ["PLAIN", "AKIAABCDEFGHIJ123456"],
    ["PLAIN", "https://hooks.slack.com/services/T0/B0/x"],
    ["PLAIN", "Server=db;User Id=me;Password=hush;"],
    ["PLAIN", "https://0123456789abcdef0123@o1.ingest.sentry.io/1"],
    ["PLAIN", "-----BEGIN OPENSSH PRIVATE KEY-----\nx"],
  ])("keeps %s", (name, value) => {
    expect(isSecret(name, value)).toBe(true);
  });

  it.each([
    ["PATH", "/usr/bin:/bin"],
    ["HOME", "/root"],
    ["MONKEY", "x"],
    ["KEYBOARD", "x"],
    ["TOKENIZERS_PARALLELISM", "false"],
    ["MAX_TOKENS_PER_STEP", "5"],
    ["MAX_TOKENS", "16000"],
    ["SSH_AUTH_SOCK", "/tmp/agent"],
    ["HTTPS_PROXY", "http://proxy:8080"],
    ["HOMEPAGE", "https://example.com/a:b@c"],
    ["PWD", "/home/me"],
    ["OLDPWD", "/home/me"],
    ["XDG_SESSION_PATH", "/x"],
    ["REQUIRE_AUTH", "true"],
    ["PATTERN", "x"],
    ["GIT_REMOTE", "git@example.com:me/project.git"],
  ])("passes %s on", (name, value) => {
    expect(isSecret(name, value)).toBe(false);
  });
});

describe("isWithheld", () => {
  it.each([
    ["KUBECONFIG", "/root/.kube/config"],
    ["DOCKER_CONFIG", "/root/.docker"],
    ["AWS_PROFILE", "production"],
    ["AWS_REGION", "us-east-1"],
  ])("keeps %s, whose value is no secret", (name, value) => {
    expect(isWithheld(name, value)).toBe(true);
    expect(isSecret(name, value)).toBe(false);
  });
});

describe("filterEnvironment", () => {
  const caller = { PATH: "/bin", B_TOKEN: "token-b", A_API_KEY: "key-of-a", GONE: undefined };

  it("names what was asked for and is not set", () => {
    expect(filterEnvironment(caller, ["NOT_THERE", "PATH"]).unset).toEqual(["NOT_THERE"]);
  });

  it("withholds credentials and names them in order", () => {
    expect(filterEnvironment(caller, [])).toEqual({
      env: { PATH: "/bin" },
      withheld: ["A_API_KEY", "B_TOKEN"],
      unset: [],
      secrets: expect.arrayContaining(["token-b", "key-of-a"]),
    });
  });

  it("passes on what is allowed by name; it stays a secret in logs", () => {
    const { env, withheld, secrets } = filterEnvironment(caller, ["A_API_KEY"]);
    expect(env).toEqual({ PATH: "/bin", A_API_KEY: "key-of-a" });
    expect(withheld).toEqual(["B_TOKEN"]);
    expect(secrets).toContain("key-of-a");
  });

  it("sets NAME=value, up to the first equals sign", () => {
    const allowed = ["A_API_KEY=other=value", "MODE=fast", "EMPTY="];
    const { env, withheld, secrets } = filterEnvironment(caller, allowed);
    expect(env).toEqual({ PATH: "/bin", A_API_KEY: "other=value", MODE: "fast", EMPTY: "" });
    expect(withheld).toEqual(["B_TOKEN"]);
    expect(secrets).toEqual(expect.arrayContaining(["other=value", "key-of-a"]));
    expect(secrets).not.toContain("fast");
  });

  it("skips a name that isn't set", () => {
    expect(filterEnvironment({ PATH: "/bin" }, ["NOT_SET"]).env).toEqual({ PATH: "/bin" });
  });

  it("redacts the password of a URL alone, too", () => {
    const url = "http://me:p%40ssword@proxy:8080";
    const { secrets } = filterEnvironment({ HTTPS_PROXY: url }, []);
    expect(secrets.sort()).toEqual([url, "p%40ssword", "p@ssword"].sort());
  });

  it("does not redact values so short that they are ordinary words", () => {
    const { withheld, secrets } = filterEnvironment(
      { A_KEY: "yes", B_KEY: "", C_KEY: "123456" },
      [],
    );
    expect(withheld).toEqual(["A_KEY", "B_KEY", "C_KEY"]);
    expect(secrets).toEqual(["123456"]);
  });
});
