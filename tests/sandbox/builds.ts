import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Docker from "dockerode";
import { ensureImage } from "../../src/sandbox/docker/images.js";
import type { Build } from "../../src/task/compose/project.js";

let count = 0;

/** A folder with these files, below the system's temporary folder. */
export function makeContext(files: Record<string, string>): string {
  const dir = mkdtempSync(join(tmpdir(), "term-run-build-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return dir;
}

export interface Built {
  image: string;
  lines: string[];
}

/** Builds a context, and gives the image's name and what was said meanwhile. */
export async function build(
  contextDir: string,
  options: Partial<Build> & {
    docker?: Docker;
    signal?: AbortSignal;
    timeoutSec?: number;
  } = {},
): Promise<Built> {
  const { docker = new Docker(), signal, timeoutSec = 300, ...changes } = options;
  const image = `term-run-test/build:${process.pid}-${count++}`;
  const plain = { dockerfile: "Dockerfile", args: {}, target: null, network: null, extraHosts: [] };
  const lines: string[] = [];
  const plan = { image, build: { contextDir, ...plain, ...changes }, tasks: [], timeoutSec };
  await ensureImage(docker, plan, {
    signal: signal ?? new AbortController().signal,
    onProgress: (_, line) => void lines.push(line),
  });
  return { image, lines };
}

/** Runs a command in a container of the image, which is removed with it. */
export async function outputOf({ image }: Built, command: string): Promise<string> {
  const docker = new Docker();
  const container = await docker.createContainer({
    Image: image,
    Cmd: ["sh", "-c", command],
    Tty: true,
  });
  try {
    await container.start();
    await container.wait();
    const shown = await container.logs({ stdout: true, stderr: true });
    return shown.toString().replaceAll("\r", "").trimEnd();
  } finally {
    await container.remove({ force: true });
    await docker.getImage(image).remove();
  }
}
