import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asInfraError } from "../../errors.js";
import type { Sandbox, SandboxProvider, Task } from "../../interfaces/index.js";
import { makeScratchFolder } from "../folder.js";
import { LocalSandbox } from "./sandbox.js";

/** A test that writes its reward to the wrong place would give a wrong score. */
function usesAbsolutePaths(task: Task): boolean {
  const { tests, script } = task.verifier;
  const file = join(tests.at(-1)?.dir ?? task.dir, script);
  return /(^|[\s"'=<>(])\/(logs|tests|app)\b/m.test(readFileSync(file, "utf8"));
}

export class LocalProvider implements SandboxProvider {
  readonly kind = "local";
  readonly #outputLimit: number;

  constructor(options: { outputLimit: number }) {
    this.#outputLimit = options.outputLimit;
  }

  unsupported(task: Task): string | null {
    if (task.environment.source.kind !== "portable")
      return "it needs an image of its own: run it with --sandbox docker";
    if (task.environment.network && task.environment.network.mode !== "public")
      return "it must not reach the internet, which the local sandbox can't prevent";
    if (usesAbsolutePaths(task))
      return "its tests name /logs, /tests or /app, which are elsewhere in the local sandbox (below $TERM_RUN_ROOT)";
    return null;
  }

  async prepare(): Promise<void> {}

  async create(task: Task): Promise<Sandbox> {
    const sandbox = new LocalSandbox({
      root: await makeScratchFolder("local"),
      workdir: task.environment.workdir ?? "/app",
      env: task.environment.env,
      outputLimit: this.#outputLimit,
    });
    try {
      if (task.environment.filesDir)
        await sandbox.upload(task.environment.filesDir, sandbox.workdir);
      await sandbox.start();
      return sandbox;
    } catch (error) {
      await sandbox.close();
      throw asInfraError(error, "starting a local sandbox failed");
    }
  }

  async close(): Promise<void> {}
}
