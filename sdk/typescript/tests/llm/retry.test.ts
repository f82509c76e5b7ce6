import { afterEach, describe, expect, test, vi } from "vitest";
import type { Retry } from "../../src/llm/index.js";
import { ModelServer } from "./support/model-server.js";
import { ask, errorOf, PROVIDERS } from "./support/models.js";
import type { Turn } from "./support/turn.js";

afterEach(() => vi.unstubAllEnvs());

const text = "a text of many events";

describe.each(PROVIDERS)("$name", ({ modelAt }) => {
  test.each<[string, Turn, object]>([
    ["429", { status: 429 }, { kind: "rate_limit", status: 429 }],
    ["500", { status: 500 }, { kind: "agent", status: 500 }],
    ["529", { status: 529 }, { kind: "agent", status: 529 }],
    [
      "overload mid-stream",
      { text, fault: { type: "overloaded", afterEvents: 4 } },
      { kind: "agent" },
    ],
    [
      "cut before the first event",
      { text, fault: { type: "cut", afterEvents: 0 } },
      { kind: "network" },
    ],
    ["cut mid-stream", { text, fault: { type: "cut", afterEvents: 4 } }, { kind: "network" }],
    [
      "malformed event",
      { text, fault: { type: "malformed", afterEvents: 4 } },
      { kind: "network" },
    ],
    [
      "stream that ends early",
      { text, fault: { type: "end", afterEvents: 4 } },
      { kind: "network" },
    ],
  ])("Errors: %s is retried", async (_, fault, expected) => {
    await using server = await ModelServer.start([fault, fault, { text: "at last" }]);
    const retries: Retry[] = [];
    const blocks: unknown[] = [];
    const request = ask("go", {
      onRetry: (retry) => retries.push(retry),
      onBlock: (block) => blocks.push(block),
    });
    expect((await modelAt(server).run(request)).content).toBe("at last");
    expect(retries).toMatchObject([
      { attempt: 2, reason: expected },
      { attempt: 3, reason: expected },
    ]);
    expect(blocks).toEqual([{ type: "text", text: "at last" }]);
  });

  test("Timeouts and cancellation: a stalled stream is retried", async () => {
    const stall: Turn = { text, fault: { type: "stall", afterEvents: 4 } };
    await using server = await ModelServer.start(({ number }) =>
      number === 1 ? stall : { text: "at last" },
    );
    const retries: Retry[] = [];
    const model = modelAt(server, { stallTimeoutSec: 0.5 });
    const response = await model.run(ask("go", { onRetry: (retry) => retries.push(retry) }));
    expect(response.content).toBe("at last");
    expect(retries[0]).toMatchObject({ attempt: 2, reason: { kind: "timeout" } });
    expect(await server.requests[0]?.ended).toBe(false);
  });

  test.each([
    ["retry-after", "0.05", 50],
    ["retry-after-ms", "40", 40],
    ["retry-after", "Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ])("Errors: %s: %s is honoured", async (header, value, leastMs) => {
    const limited: Turn = { status: 429, headers: { [header]: value } };
    await using server = await ModelServer.start([limited, { text: "ok" }]);
    const retries: Retry[] = [];
    await modelAt(server).run(ask("go", { onRetry: (retry) => retries.push(retry) }));
    expect(retries[0]?.delayMs).toBeGreaterThanOrEqual(leastMs);
    expect(retries[0]?.delayMs).toBeLessThan(leastMs + 1);
  });

  test("Errors: after maxRetries the last error is thrown, with the number of tries", async () => {
    await using server = await ModelServer.start(() => ({ status: 503 }));
    expect(await errorOf(modelAt(server, { maxRetries: 2 }).run(ask("go")))).toMatchObject({
      kind: "agent",
      status: 503,
      message: expect.stringMatching(/503: .*\(tried 3 times\)$/),
    });
    expect(server.requests).toHaveLength(3);
  });

  test("Errors: no retry if the delay would exceed the task's time", async () => {
    vi.stubEnv("TERM_AGENT_TIMEOUT_SEC", (performance.now() / 1000 + 60).toFixed(3));
    await using server = await ModelServer.start([
      { status: 429, headers: { "retry-after": "70" } },
    ]);
    expect(await errorOf(modelAt(server).run(ask("go")))).toMatchObject({
      kind: "rate_limit",
      status: 429,
      message: expect.stringMatching(
        /not retried: a delay of 70 s would exceed the [\d.]+ s left of the task's time/,
      ),
    });
  });

  test("Errors: no retry if the delay would exceed the call's own timeout", async () => {
    await using server = await ModelServer.start([
      { status: 429, headers: { "retry-after": "99" } },
    ]);
    const error = await errorOf(modelAt(server, { requestTimeoutSec: 50 }).run(ask("go")));
    expect(error).toMatchObject({ message: expect.stringContaining("left of requestTimeoutSec") });
  });

  test("Errors: delays grow, with jitter, up to half a minute", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.001);
    await using server = await ModelServer.start(() => ({ status: 500 }));
    const delays: number[] = [];
    const onRetry = ({ delayMs }: Retry) => void delays.push(delayMs);
    await errorOf(modelAt(server, { retryDelaySec: 4 }).run(ask("go", { onRetry })));
    vi.restoreAllMocks();
    expect(delays).toEqual([4, 8, 16, 30, 30]);
  });
});
