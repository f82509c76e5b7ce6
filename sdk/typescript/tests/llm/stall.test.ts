import { afterEach, describe, expect, test, vi } from "vitest";
import { watchedFetch } from "../../src/llm/client.js";
import { resolveSettings } from "../../src/llm/config/settings.js";
import { commonFailure, networkFailure } from "../../src/llm/failure.js";
import { modelOf } from "../../src/llm/provider.js";
import { ask, errorOf } from "./support/models.js";

afterEach(() => vi.useRealTimers());

describe("Timeouts and cancellation", () => {
  test("a server that keeps sending doesn't stall, however long it takes", async () => {
    vi.useFakeTimers();
    const settings = resolveSettings({ apiKey: "key", stallTimeoutSec: 60, maxRetries: 0 });
    let alive = () => {};
    const model = modelOf(
      {
        load: async () => {},
        stream: (_, attempt) => {
          alive = attempt.alive;
          return new Promise(() => {});
        },
        toFailure: (error) => commonFailure(error) ?? networkFailure("?", error),
      },
      settings,
    );
    let ended = false;
    const error = errorOf(model.run(ask("go"))).finally(() => {
      ended = true;
    });
    for (let i = 0; i < 5; i++) {
      await vi.advanceTimersByTimeAsync(59_000);
      alive();
    }
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await error).toMatchObject({
      kind: "timeout",
      message: "the model's response stalled: nothing received for 60 s",
    });
  });

  test("a ping counts, although the clients don't expose it", async () => {
    const alive = vi.fn();
    const response = await watchedFetch(alive)("data:text/event-stream,event: ping");
    const signs = alive.mock.calls.length;
    expect(await response.text()).toBe("event: ping");
    expect(alive.mock.calls.length).toBeGreaterThan(signs);
  });
});
