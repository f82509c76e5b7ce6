import { expect, it } from "vitest";
import { nop } from "../../src/agent/builtin/nop.js";
import { oracle } from "../../src/agent/builtin/oracle.js";
import { findAgent } from "../../src/agent/find.js";
import { useBench } from "./support.js";

const bench = useBench();
const environment = { env: {}, withheld: [], secrets: [], unset: [] };
const find = (spec: string) => findAgent(spec, environment);

it("knows the built-in agents and treats the rest as a command", () => {
  expect(find("oracle")).toBe(oracle);
  expect(find("nop")).toBe(nop);
  expect(find(bench.write("my.py", "")).name).toBe("my");
});

it("refuses names that every object has", () => {
  expect(() => find("constructor")).toThrow("agent not found");
});
