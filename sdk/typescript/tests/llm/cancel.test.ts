import { describe, expect, test } from "vitest";
import { ModelServer } from "./support/model-server.js";
import { ask, errorOf, PROVIDERS } from "./support/models.js";

describe.each(PROVIDERS)("Timeouts and cancellation: $name", ({ modelAt }) => {
  const stalled = {
    thinking: "The first block.",
    text: "never ends",
    fault: { type: "stall", afterEvents: 9 },
  } as const;

  test("cancelling mid-stream ends the call and its connection", async () => {
    await using server = await ModelServer.start([stalled]);
    const controller = new AbortController();
    const reason = new Error("enough");
    const onBlock = () => controller.abort(reason);
    const error = await errorOf(modelAt(server).run(ask("go", { onBlock }), controller.signal));
    expect(error).toMatchObject({
      kind: "timeout",
      message: "the call was cancelled",
      cause: reason,
    });
    expect(await server.requests[0]?.ended).toBe(false);
    expect(server.requests).toHaveLength(1);
  });

  test("cancelling ends the delay before a retry", async () => {
    await using server = await ModelServer.start([
      { status: 429, headers: { "retry-after": "500" } },
    ]);
    const controller = new AbortController();
    const onRetry = () => queueMicrotask(() => controller.abort());
    const error = await errorOf(modelAt(server).run(ask("go", { onRetry }), controller.signal));
    expect(error).toMatchObject({ kind: "timeout", message: "the call was cancelled" });
    expect(server.requests).toHaveLength(1);
  });

  test("an already aborted signal makes no call", async () => {
    await using server = await ModelServer.start([{ text: "hi" }]);
    const error = await errorOf(modelAt(server).run(ask("go"), AbortSignal.abort()));
    expect(error).toMatchObject({ kind: "timeout", message: "the call was cancelled" });
    expect(server.requests).toHaveLength(0);
  });

  test("requestTimeoutSec limits the whole call and isn't retried", async () => {
    await using server = await ModelServer.start([stalled]);
    const retries: unknown[] = [];
    const request = ask("go", { onRetry: (retry) => retries.push(retry) });
    const error = await errorOf(modelAt(server, { requestTimeoutSec: 0.5 }).run(request));
    expect(error).toMatchObject({
      kind: "timeout",
      message: "the model didn't finish its response within 0.5 s",
    });
    expect(retries).toEqual([]);
  });

  test("a call leaves no listener on the caller's signal", async () => {
    await using server = await ModelServer.start([{ text: "hi" }]);
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: unknown[]) => {
      listeners++;
      return Reflect.apply(addEventListener, signal, args);
    };
    signal.removeEventListener = (...args: unknown[]) => {
      listeners--;
      return Reflect.apply(removeEventListener, signal, args);
    };
    await modelAt(server).run(ask("go"), signal);
    expect(listeners).toBe(0);
  });
});
