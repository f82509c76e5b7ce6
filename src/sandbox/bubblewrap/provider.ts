import { execa } from "execa";
import { asInfraError } from "../../errors.js";
import type { Sandbox, SandboxProvider, Task } from "../../interfaces/index.js";
import { findProgram } from "../../process/find-program.js";
import { makeScratchFolder, removeScratchFolder } from "../folder.js";
import { layOutRoot } from "./root.js";
import { BubblewrapSandbox } from "./sandbox.js";

const DEFAULT_WORKDIR = "/app";

/** Why bubblewrap doesn't work here, or null when it does. */
export async function bubblewrapProblem(): Promise<string | null> {
  if (process.platform !== "linux") return "bubblewrap needs Linux";
  const bwrap = findProgram("bwrap");
  if (!bwrap) return "bwrap is not installed";
  const args = ["--ro-bind", "/", "/", "--unshare-all", "--proc", "/proc", "--dev", "/dev", "true"];
  const result = await execa(bwrap, args, { reject: false, timeout: 10_000, stdin: "ignore" });
  if (!result.failed) return null;
  return `bwrap does not work here: ${result.stderr.trim().split("\n").at(-1)}`;
}

function needsNetwork({ environment, agentNetwork, verifier }: Task): boolean {
  const policies = [environment.network, agentNetwork, verifier.network];
  return policies.some((policy) => policy !== null && policy.mode !== "none");
}

export class BubblewrapProvider implements SandboxProvider {
  readonly kind = "bubblewrap";
  readonly #outputLimit: number;

  constructor(options: { outputLimit: number }) {
    this.#outputLimit = options.outputLimit;
  }

  unsupported(task: Task): string | null {
    if (task.environment.source.kind !== "portable")
      return "it needs an image of its own: run it with --sandbox docker";
    if (needsNetwork(task)) return "it needs a network, which a bubblewrap sandbox does not have";
    if (task.environment.compose)
      return "it needs services beside it: run it with --sandbox docker";
    if (task.verifier.separate)
      return "its verifier needs a container: run it with --sandbox docker";
    if (task.agentUser ?? task.verifier.user)
      return "it names a user, and a bubblewrap sandbox has only one: run it with --sandbox docker";
    return null;
  }

  async prepare(): Promise<void> {}

  async create(task: Task): Promise<Sandbox> {
    const root = await makeScratchFolder("bwrap");
    const workdir = task.environment.workdir ?? DEFAULT_WORKDIR;
    const sandbox = new BubblewrapSandbox({
      bwrap: findProgram("bwrap") ?? "bwrap",
      root,
      workdir,
      env: task.environment.env,
      outputLimit: this.#outputLimit,
    });
    try {
      await layOutRoot(root, workdir);
      if (task.environment.filesDir) await sandbox.upload(task.environment.filesDir, workdir);
      await sandbox.start();
      return sandbox;
    } catch (error) {
      await sandbox.close();
      await removeScratchFolder(root);
      throw asInfraError(error, "starting a bubblewrap sandbox failed");
    }
  }

  async close(): Promise<void> {}
}
