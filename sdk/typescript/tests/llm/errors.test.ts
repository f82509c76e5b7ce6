import { describe, expect, test } from "vitest";
import { AgentError } from "../../src/llm/index.js";
import { ModelServer } from "./support/model-server.js";
import { ask, errorOf, openaiAt, PROVIDERS } from "./support/models.js";

describe.each(PROVIDERS)("Errors: $name", ({ modelAt }) => {
  test.each([400, 401, 403, 404, 413])("%i is a client error: not retried", async (status) => {
    await using server = await ModelServer.start([{ status }]);
    const error = await errorOf(modelAt(server).run(ask("go")));
    expect(error).toBeInstanceOf(AgentError);
    expect(error).toMatchObject({
      kind: "invalid",
      status,
      message: expect.stringContaining(`scripted error ${status}`),
      cause: expect.any(Error),
    });
    expect(server.requests).toHaveLength(1);
  });

  test("a rejected key is named by its variable, and never shown", async () => {
    const apiKey = "sk-very-secret-0123456789";
    const body = { type: "error", error: { message: `bad key ${apiKey}`, type: "x" } };
    await using server = await ModelServer.start([{ status: 401, body }]);
    const { message } = (await errorOf(modelAt(server, { apiKey }).run(ask("go")))) as AgentError;
    expect(message).toMatch(
      /bad key \[redacted\]; check the API key \((ANTHROPIC|OPENAI)_API_KEY\)/,
    );
    expect(message).not.toContain(apiKey);
  });

  test("an unreachable server", async () => {
    const server = await ModelServer.start([]);
    const model = modelAt(server, { maxRetries: 1 });
    const { url } = server;
    await server.close();
    const baseUrl = url.replace("127.0.0.1", "user:secret@127.0.0.1");
    expect(await errorOf(model.run(ask("go")))).toMatchObject({
      kind: "network",
      message: `can't reach ${url}: ECONNREFUSED (tried 2 times)`,
    });
    const hidden = modelAt(server, { maxRetries: 0, baseUrl });
    expect(String(await errorOf(hidden.run(ask("go"))))).not.toContain("secret");
  });
});

test("Errors: an exhausted quota isn't retried", async () => {
  const body = { error: { message: "no money", code: "insufficient_quota" } };
  await using server = await ModelServer.start([{ status: 429, body }]);
  expect(await errorOf(openaiAt(server).run(ask("go")))).toMatchObject({ kind: "rate_limit" });
  expect(server.requests).toHaveLength(1);
});
