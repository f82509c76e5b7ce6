import { expect, it } from "vitest";
import { Teardown } from "../../src/process/teardown.js";

it("releases in reverse order, each only once", async () => {
  const order: number[] = [];
  const teardown = new Teardown();
  teardown.add(() => order.push(1));
  teardown.add(async () => order.push(2));
  await teardown.run();
  await teardown.run();
  expect(order).toEqual([2, 1]);
});

it("releases the rest when one fails, then reports what failed", async () => {
  const order: number[] = [];
  const teardown = new Teardown();
  teardown.add(() => order.push(1));
  teardown.add(() => Promise.reject(new Error("stuck")));
  await expect(teardown.run()).rejects.toThrow("stuck");
  expect(order).toEqual([1]);
});

it("reports everything that failed", async () => {
  const teardown = new Teardown();
  for (const name of ["one", "two"])
    teardown.add(() => {
      throw new Error(name);
    });
  await expect(teardown.run()).rejects.toMatchObject({
    message: "two; one",
    errors: [{ message: "two" }, { message: "one" }],
  });
});
