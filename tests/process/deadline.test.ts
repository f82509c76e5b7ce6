import { expect, it } from "vitest";
import { withDeadline } from "../../src/process/deadline.js";

it("gives what the work gives", async () => {
  await expect(withDeadline(Promise.resolve(7), 60_000)).resolves.toBe(7);
  await expect(withDeadline(Promise.reject(new Error("broken")), 60_000)).rejects.toThrow("broken");
});

it("gives up on work that never ends", async () => {
  await expect(withDeadline(new Promise(() => {}), 20)).rejects.toThrow("no answer within 0.02 s");
});
