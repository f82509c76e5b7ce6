import { readdirSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import { eachSandbox, HELLO, type Place, termRun } from "./cli.js";
import { expectNoTraces, findContainers } from "./traces.js";

eachSandbox("--keep", (sandbox) => {
  it("leaves the sandbox, and the printed commands enter and remove it", async () => {
    const run = await termRun([HELLO, "-a", "oracle", "--sandbox", sandbox, "--keep"]);
    expect(run.exitCode).toBe(0);
    expect(await countSandboxes(sandbox, run.place)).toBe(1);

    const enter = printed(run.stdout, "enter");
    const shown = await typeInto(enter, "pwd; cat hello.txt; exit\n");
    expect(shown).toContain("/app");
    expect(shown).toContain("Hello, world!");

    await execa("sh", ["-c", printed(run.stdout, "remove")]);
    await expectNoTraces(run.place);
  });
});

function printed(stdout: string, verb: string): string {
  const found = new RegExp(`^ {2}${verb} +(.+)$`, "m").exec(stdout)?.[1];
  expect(found, stdout).toBeDefined();
  return found as string;
}

async function countSandboxes(sandbox: string, { mark, dir }: Place): Promise<number> {
  if (sandbox === "bubblewrap")
    return new Set(
      readdirSync(join(dir, "tmp"))
        .filter((name) => name.startsWith("term-run-"))
        // A sandbox's tools are in a folder beside its own.
        .map((name) => name.replace(/\.tools$/, "")),
    ).size;
  const containers = await findContainers(mark);
  return containers.filter(({ State }) => State === "running").length;
}

/** Types into a command on a terminal of its own and returns what is on the screen. */
async function typeInto(command: string, input: string): Promise<string> {
  const options = { input, env: { COMMAND: command }, all: true, reject: false } as const;
  const { all } = await execa("sh", ["-c", 'script -qec "$COMMAND" /dev/null'], options);
  return all;
}
