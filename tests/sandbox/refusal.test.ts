import { describe, expect, it } from "vitest";
import type { NetworkPolicy, Task } from "../../src/interfaces/index.js";
import { SANDBOX_KINDS } from "../../src/sandbox/kinds.js";
import { findRefusal } from "../../src/sandbox/refusal.js";
import { makeTask } from "./kinds.js";

const kindNamed = (name: string) => {
  const found = SANDBOX_KINDS.find(({ kind }) => kind === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};
const list = (...hosts: string[]): NetworkPolicy => ({ mode: "allowlist", hosts });

describe("a list of allowed hosts", () => {
  it("is refused where it can't be enforced", () => {
    const task = makeTask({ network: list("a.b") });
    expect(findRefusal(task, kindNamed("docker"))).toBe(null);
    for (const kind of ["bubblewrap", "local"])
      expect(findRefusal(task, kindNamed(kind))).toBe(
        `it needs a network with a list of allowed hosts, which a ${kind} sandbox can't enforce: run it with --sandbox docker`,
      );
  });

  it.each(["192.0.2.7", "10.0.0.0/8", "::1", "2001:db8::/32"])(
    "is refused everywhere with %s in it, wherever it stands",
    (address) => {
      const network = list("a.b", address);
      const { verifier } = makeTask();
      const tasks: Task[] = [
        makeTask({ network }),
        { ...makeTask(), agentNetwork: network },
        { ...makeTask(), verifier: { ...verifier, network } },
        { ...makeTask(), verifier: { ...verifier, separate: makeTask({ network }).environment } },
      ];
      for (const task of tasks)
        expect(findRefusal(task, kindNamed("docker"))).toBe(
          `its network allows ${address}, and only names of hosts can be allowed, not addresses`,
        );
    },
  );
});

describe("a network that changes between phases", () => {
  const changes: Partial<Task> = { agentNetwork: { mode: "none" } };

  it("is possible in Docker, with services as well", () => {
    const compose = { file: "x", service: "main", variables: {}, awaited: true };
    const docker = kindNamed("docker");
    expect(findRefusal({ ...makeTask(), ...changes }, docker)).toBe(null);
    expect(findRefusal({ ...makeTask({ compose }), ...changes }, docker)).toBe(null);
  });

  it("is refused where there is only one", () => {
    const task = { ...makeTask({ network: { mode: "public" } }), ...changes };
    expect(findRefusal(task, kindNamed("local"))).toContain("a local sandbox can't prevent");
  });
});
