import { describe, expect, test } from "vitest";
import { Harness } from "../../src/harness/index.js";
import type { Model } from "../../src/llm/index.js";
import { call, Listener, say, scriptedClaude, workTool } from "./support/model.js";

describe("cancel", () => {
  const CANCELLED = { kind: "timeout", message: "the prompt was cancelled" };

  test("does nothing when no prompt is running", async () => {
    const { model } = await scriptedClaude([say("One"), say("Two")]);
    const harness = new Harness({ model });
    harness.cancel();
    expect(await harness.prompt("First")).toMatchObject({ text: "One" });
    harness.cancel();
    harness.cancel();
    expect(await harness.prompt("Second")).toMatchObject({ text: "Two" });
  });

  test("ends a call mid-stream, and its connection", async () => {
    const { server, model } = await scriptedClaude([
      { thinking: "Hm.", text: "It begins", fault: { type: "stall", afterEvents: 8 } },
      say("Again"),
    ]);
    const listener = new Listener();
    const harness = new Harness({ model }, [], listener);
    const prompt = harness.prompt("Go");
    await listener.until("reasoning Hm.");
    harness.cancel();
    await expect(prompt).rejects.toMatchObject(CANCELLED);
    expect(await server.requests[0]?.ended).toBe(false);
    expect(listener.lines.at(-1)).toBe("status idle");
    expect(await harness.prompt("Once more")).toMatchObject({ text: "Again" });
  });

  test("ends a tool that listens to its signal", async () => {
    const { model } = await scriptedClaude([call(["work", { what: "a" }])]);
    const listener = new Listener();
    let aborted = false;
    const wait = (signal: AbortSignal) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          aborted = true;
          reject(new Error("stopped"));
        });
      });
    const harness = new Harness({ model }, [workTool((_, signal) => wait(signal))], listener);
    const prompt = harness.prompt("Go");
    await listener.until("status running_tool running work work");
    harness.cancel();
    await expect(prompt).rejects.toMatchObject(CANCELLED);
    expect(aborted).toBe(true);
  });

  test("doesn't wait for a tool or a model that ignores its signal", async () => {
    const { model } = await scriptedClaude([call(["work", { what: "a" }])]);
    const listener = new Listener();
    const never = () => new Promise<never>(() => {});
    const harness = new Harness({ model }, [workTool(never)], listener);
    const prompt = harness.prompt("Go");
    await listener.until("status running_tool running work work");
    harness.cancel();
    await expect(prompt).rejects.toMatchObject(CANCELLED);

    const deaf = new Harness({ model: { name: "deaf", contextTokens: null, run: never } });
    const second = deaf.prompt("Go");
    deaf.cancel();
    await expect(second).rejects.toMatchObject(CANCELLED);
  });

  test("ignores a model that keeps sending", async () => {
    let speak = () => {};
    const model: Model = {
      name: "deaf",
      contextTokens: null,
      run: (request) =>
        new Promise(() => {
          speak = () => {
            request.onBlock?.({ type: "text", text: "Still here" });
            request.onRetry?.({ attempt: 2, delayMs: 1, reason: { kind: "x", message: "x" } });
          };
        }),
    };
    const listener = new Listener();
    const harness = new Harness({ model }, [], listener);
    const prompt = harness.prompt("Go");
    harness.cancel();
    await expect(prompt).rejects.toMatchObject(CANCELLED);
    speak();
    expect(listener.lines).toEqual(["user Go", "status thinking turn 1", "status idle"]);
  });

  test("from a handler, between the tools of a turn", async () => {
    const done: string[] = [];
    const { model } = await scriptedClaude([
      call(["work", { what: "a" }], ["work", { what: "b" }]),
    ]);
    const harness: Harness = new Harness({ model }, [workTool((what) => done.push(what))], {
      toolResult: () => harness.cancel(),
    });
    await expect(harness.prompt("Go")).rejects.toMatchObject(CANCELLED);
    expect(done).toEqual(["a"]);
  });

  test("by the caller's signal, before and during the prompt", async () => {
    const { server, model } = await scriptedClaude([
      { text: "It begins", fault: { type: "stall", afterEvents: 4 } },
    ]);
    const harness = new Harness({ model });
    await expect(harness.prompt("Go", AbortSignal.abort())).rejects.toMatchObject(CANCELLED);
    expect(harness.conversation).toEqual([]);
    const controller = new AbortController();
    const prompt = harness.prompt("Go", controller.signal);
    await waitForRequest(server);
    controller.abort();
    await expect(prompt).rejects.toMatchObject(CANCELLED);
    expect(server.requests).toHaveLength(1);
  });

  test("a signal that times out is reported as a timeout", async () => {
    const { model } = await scriptedClaude([
      { text: "It begins", fault: { type: "stall", afterEvents: 4 } },
    ]);
    await expect(
      new Harness({ model }).prompt("Go", AbortSignal.timeout(20)),
    ).rejects.toMatchObject({ kind: "timeout", message: "the prompt timed out" });
  });
});

async function waitForRequest({ requests }: { requests: unknown[] }): Promise<void> {
  while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
}
