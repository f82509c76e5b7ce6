import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type AgentError,
  type ConfigSources,
  claude,
  createModel,
  openaiCompatible,
} from "../../src/llm/index.js";
import { ModelServer } from "./support/model-server.js";
import { ask } from "./support/models.js";

const folder = mkdtempSync(join(tmpdir(), "term-sdk-config-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  // Ignore what the machine has set.
  for (const name of Object.keys(process.env)) {
    if (/^(TERM_MODEL|ANTHROPIC_|OPENAI_)/.test(name)) vi.stubEnv(name, undefined);
  }
});
afterEach(() => vi.unstubAllEnvs());

function fileWith(content: unknown): string {
  const path = join(folder, "model.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

function messageOf(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    expect((error as AgentError).kind).toBe("invalid");
    return (error as AgentError).message;
  }
  throw new Error("it did not fail");
}

const KEY = { apiKey: "key" };

describe("Configuration", () => {
  test("precedence per field: code, file, environment", async () => {
    await using server = await ModelServer.start([{ text: "a" }]);
    vi.stubEnv("TERM_MODEL", "from-env");
    vi.stubEnv("TERM_MODEL_MAX_TOKENS", "1");
    vi.stubEnv("TERM_MODEL_TEMPERATURE", "0.25");
    vi.stubEnv("TERM_MODEL_BASE_URL", server.url);
    vi.stubEnv("TERM_MODEL_CONFIG", fileWith({ model: "from-file", maxTokens: 2 }));
    await createModel({ model: "from-code" }).run(ask("hello"));
    expect(server.requests[0]?.body).toMatchObject({
      model: "from-code",
      max_tokens: 2,
      temperature: 0.25,
    });
  });

  test("the environment can choose the provider", async () => {
    await using server = await ModelServer.start([{ text: "a" }]);
    vi.stubEnv("TERM_MODEL_PROVIDER", "openai");
    vi.stubEnv("TERM_MODEL", "llama");
    vi.stubEnv("TERM_MODEL_BASE_URL", server.openaiUrl);
    await createModel().run(ask("hello"));
    expect(server.requests[0]).toMatchObject({ api: "openai", body: { model: "llama" } });
  });

  test("the provider's own variables: base URL and key; TERM_MODEL_API_KEY takes precedence", async () => {
    await using server = await ModelServer.start([{ text: "a" }, { text: "b" }]);
    vi.stubEnv("ANTHROPIC_BASE_URL", server.url);
    vi.stubEnv("ANTHROPIC_API_KEY", "key-of-provider");
    await claude().run(ask("hello"));
    vi.stubEnv("TERM_MODEL_API_KEY", "key-of-term");
    await claude().run(ask("hello"));
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer key-of-provider",
      "Bearer key-of-term",
    ]);
  });

  test.each([
    ["ANTHROPIC_API_KEY", () => claude()],
    ["OPENAI_API_KEY", () => openaiCompatible({ model: "m" })],
    ["OPENAI_API_KEY", () => openaiCompatible({ model: "m", baseUrl: "https://example.com/v1" })],
  ])("a missing key fails before any call and names %s", (variable, make) => {
    const message = messageOf(make);
    expect(message).toContain(`set the variable ${variable}`);
    expect(message).toContain(`--env ${variable}`);
  });

  test.each(["http://localhost:11434/v1", "http://127.0.0.1:8000/v1", "http://[::1]:1/v1"])(
    "%s needs no key",
    (baseUrl) => {
      expect(openaiCompatible({ model: "m", baseUrl }).name).toBe("m");
    },
  );

  test("an OpenAI-compatible server has no default model", () => {
    expect(messageOf(() => openaiCompatible(KEY))).toContain("TERM_MODEL");
  });

  test.each<[ConfigSources, string]>([
    [{ maxTokens: 0 }, '"maxTokens" must be an integer of at least 1, not 0'],
    [{ maxTokens: 1.5 }, '"maxTokens" must be an integer'],
    [{ temperature: 3 }, '"temperature" must be a number from 0 to 2, not 3'],
    [{ provider: "other" as never }, '"provider" must be "claude" or "openai", not "other"'],
    [{ model: " " }, '"model" must be a non-empty string'],
    [{ baseUrl: "ftp://user:secret@host" }, '"baseUrl" must be an http or https URL'],
    [{ price: { input: -1, output: 1 } }, '"price" must be dollars'],
    [{ stallTimeoutSec: 0 }, '"stallTimeoutSec" must be a number'],
    [{ thinkingTokens: 100 }, '"thinkingTokens" must be an integer of at least 1024'],
    [{ thinkingTokens: 4096 }, "must be less than maxTokens (4096)"],
    [{ thinkingTokens: 2000, thinking: "adaptive" }, "can't be set together"],
    [{ record: "a", replay: "b" }, "can't be set together"],
    [{ max_tokens: 5 } as never, 'unknown field "max_tokens"; did you mean "maxTokens"?'],
  ])("%j is rejected", (config, expected) => {
    const message = messageOf(() => createModel({ ...KEY, ...config }));
    expect(message).toContain(expected);
    expect(message).not.toContain("secret");
  });

  test.each([
    [{ maxTokens: "many" }, '"maxTokens" must be an integer of at least 1, not "many"'],
    [{ modle: "x" }, 'unknown field "modle"; did you mean "model"?'],
    [{ frobnicate: 1 }, 'unknown field "frobnicate"'],
    [[1], "must contain a JSON object"],
    ['{"apiKey": "sk-secret-1234", }', "invalid JSON"],
  ])("a file with %j: the error names file and field", (content, expected) => {
    const configFile = fileWith(content);
    const message = messageOf(() => createModel({ configFile }));
    expect(message).toContain(`${configFile}: ${expected}`);
    expect(message).not.toContain("sk-secret");
  });

  test("a missing file, and a variable with an invalid value", () => {
    expect(messageOf(() => createModel({ configFile: "/none.json" }))).toContain(
      "/none.json: can't",
    );
    vi.stubEnv("TERM_MODEL_MAX_RETRIES", "often");
    expect(messageOf(() => createModel(KEY))).toContain(
      'TERM_MODEL_MAX_RETRIES must be an integer of at least 0, not "often"',
    );
  });

  test("everything can be set in the environment", async () => {
    await using server = await ModelServer.start([{ text: "a", usage: { input: 1e6, output: 0 } }]);
    for (const [name, value] of Object.entries({
      TERM_MODEL: "claude-x",
      TERM_MODEL_BASE_URL: server.url,
      TERM_MODEL_CONTEXT_TOKENS: "5000",
      TERM_MODEL_PRICE: '{"input": 3, "output": 15}',
      TERM_MODEL_THINKING: "adaptive",
      TERM_MODEL_REQUEST_TIMEOUT_SEC: "50",
      TERM_MODEL_STALL_TIMEOUT_SEC: "20.5",
      TERM_MODEL_RETRY_DELAY_SEC: "0",
    })) {
      vi.stubEnv(name, value);
    }
    const model = createModel();
    expect(model).toMatchObject({ name: "claude-x", contextTokens: 5000 });
    expect((await model.run(ask("hello"))).usage.costUsd).toBe(3);
    expect(server.requests[0]?.body.thinking).toMatchObject({ type: "adaptive" });
  });
});
