import { fileURLToPath } from "node:url";
import Docker from "dockerode";
import { execa } from "execa";
import { pack } from "tar-stream";
import { beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_IMAGE } from "../../src/sandbox/kinds.js";
import { docker as hasDocker } from "./kinds.js";

const PROGRAM = fileURLToPath(new URL("programs/failed-start.ts", import.meta.url));
const NO_SHELL = "term-run-test-no-shell";
/** A process that holds a connection never ends; one that doesn't ends long before. */
const STUCK_MS = 40_000;

describe.runIf(hasDocker)("a container that fails to start", () => {
  const engine = new Docker();

  beforeAll(async () => {
    const root = pack();
    root.entry({ name: "empty" }, "");
    root.finalize();
    const stream = await engine.importImage(root as unknown as NodeJS.ReadableStream, {
      repo: NO_SHELL,
      tag: "latest",
    });
    await new Promise((resolve) => engine.modem.followProgress(stream, resolve));
  });

  it.each([
    [
      "an image without /bin/sh",
      NO_SHELL,
      "/app",
      /^failed: no shell could be started .*\/bin\/sh/,
    ],
    [
      "a working directory that is a file",
      DEFAULT_IMAGE,
      "/etc/passwd",
      /^failed: starting the sandbox of test-task failed.*\/etc\/passwd/,
    ],
  ])("%s: says why, leaves nothing, and lets the process end", async (_, image, workdir, why) => {
    const args = ["--import", "tsx", PROGRAM, image, workdir];
    const child = execa(process.execPath, args, { timeout: STUCK_MS });
    const { stdout } = await child;
    expect(stdout).toMatch(why);
    const filters = { label: [`term-run.run=test-${child.pid}`] };
    expect(await engine.listContainers({ all: true, filters })).toEqual([]);
  });
});
