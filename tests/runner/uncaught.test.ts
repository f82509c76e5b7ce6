import { describe, expect, it } from "vitest";
import { handleUncaught, isolate } from "../../src/runner/uncaught.js";

const never = new AbortController().signal;

describe("isolated work", () => {
  // What Node does with an error that nobody catches, in the context in which it was thrown.
  const throwLater = (message: string) =>
    new Promise<boolean>((resolve) => {
      setTimeout(() => resolve(handleUncaught(new Error(message))), 1);
    });

  it("is ended by its own uncaught error, and no other is", async () => {
    const hostile = isolate(never, async (signal) => {
      await throwLater("boom");
      expect(signal.aborted).toBe(true);
      return "end";
    });
    const innocent = isolate(never, async (signal) => {
      await hostile;
      return signal.aborted;
    });
    expect(await hostile).toMatchObject({
      value: "end",
      failure: { code: "infra", message: "an error that nothing handled: boom" },
    });
    expect(await innocent).toEqual({ value: false, failure: null });
  });

  it("throws what it throws itself", async () => {
    await expect(isolate(never, () => Promise.reject(new Error("own")))).rejects.toThrow("own");
  });

  it("is the only place that such errors are handled", async () => {
    expect(await throwLater("nobody's")).toBe(false);
  });
});
