import { EventEmitter, once } from "node:events";
import type { Readable } from "node:stream";

/** How long to wait without any output. */
const QUIET_MS = 50_000;

/** Everything that a stream or a terminal has shown, and waits for what it will show. */
export class Shown {
  readonly #changed = new EventEmitter();
  text = "";

  add(chunk: Buffer | string): void {
    this.text += chunk;
    this.#changed.emit("change");
  }

  async until(wanted: string | RegExp): Promise<string> {
    const isThere = () =>
      typeof wanted === "string" ? this.text.includes(wanted) : wanted.test(this.text);
    while (!isThere())
      await once(this.#changed, "change", { signal: AbortSignal.timeout(QUIET_MS) }).catch(() => {
        throw new Error(`${wanted} didn't come; this did:\n${this.text}`);
      });
    return this.text;
  }
}

export function show(stream: Readable): Shown {
  const shown = new Shown();
  stream.on("data", (chunk) => shown.add(chunk));
  return shown;
}

export async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
