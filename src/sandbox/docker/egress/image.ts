import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import type Docker from "dockerode";
import { pack } from "tar-stream";
import { asInfraError } from "../../../errors.js";
import { findProgram } from "../../native/find-program.js";

/** Where the program is in its image. */
export const EGRESS_PATH = "/egress";

/** The image with nothing in it but the program, made once for an engine and named by its content. */
export class EgressImage {
  readonly #docker: Docker;
  #name: Promise<string> | null = null;

  constructor(docker: Docker) {
    this.#docker = docker;
  }

  /** Makes it, unless the engine has it already; a failure is tried again the next time. */
  ensure(): Promise<string> {
    this.#name ??= this.#make().catch((error) => {
      this.#name = null;
      throw asInfraError(error, "the image for networks with allowed hosts can't be made");
    });
    return this.#name;
  }

  async #make(): Promise<string> {
    const { Arch } = await this.#docker.version();
    const program = await readFile(findProgram("egress", Arch));
    const repo = "term-run/egress";
    const tag = createHash("sha256").update(program).digest("hex").slice(0, 16);
    const name = `${repo}:${tag}`;
    if (await this.#exists(name)) return name;
    const files = pack();
    files.entry({ name: EGRESS_PATH.slice(1), mode: 0o755, uid: 0, gid: 0 }, program);
    files.finalize();
    const tar = files as unknown as NodeJS.ReadableStream;
    const progress = await this.#docker.importImage(tar, { repo, tag });
    await new Promise<void>((resolve, reject) =>
      this.#docker.modem.followProgress(progress as Readable, (error: Error | null) =>
        error ? reject(error) : resolve(),
      ),
    );
    return name;
  }

  async #exists(name: string): Promise<boolean> {
    try {
      await this.#docker.getImage(name).inspect();
      return true;
    } catch (error) {
      if ((error as { statusCode?: number }).statusCode === 404) return false;
      throw error;
    }
  }
}
