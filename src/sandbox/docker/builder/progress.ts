import type { Readable } from "node:stream";
import type Docker from "dockerode";
import { readStatus } from "./messages.js";
import { BuildTrace } from "./trace.js";

const TRACE = "moby.buildkit.trace";

export interface Following {
  signal: AbortSignal;
  note: (line: string) => void;
}

/** What the engine said of a build or a pull that failed. */
export class EngineFailure extends Error {
  /** The last lines of the step that failed; null if the engine doesn't tell steps apart. */
  readonly output: string[] | null;
  /** Whether it was the image that a `# syntax` line names. */
  readonly inFrontend: boolean;

  constructor(message: string, step: { output: string[]; inFrontend: boolean } | null) {
    super(message);
    this.output = step?.output ?? null;
    this.inFrontend = step?.inFrontend ?? false;
  }
}

interface ProgressLine {
  stream?: string;
  status?: string;
  id?: string;
  error?: string;
  aux?: unknown;
}

/** Waits for the end of a build or a pull; everything it says becomes lines for people. */
export function followProgress(
  docker: Docker,
  stream: Readable,
  { signal, note }: Following,
): Promise<void> {
  const trace = new BuildTrace(note);
  return new Promise((resolve, reject) => {
    const onAbort = () => stream.destroy(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    stream.once("error", reject);
    const finished = (error: Error | null) => {
      signal.removeEventListener("abort", onAbort);
      error ? reject(error) : resolve();
    };
    docker.modem.followProgress(stream, finished, (line: ProgressLine) => {
      if (line.id === TRACE) {
        if (typeof line.aux === "string") trace.add(readStatus(Buffer.from(line.aux, "base64")));
        return;
      }
      if (line.error) return reject(new EngineFailure(plain(line.error), trace.failure));
      // BuildKit's last word on the image is its digest, which nobody needs.
      if (line.aux !== undefined) return;
      const text = line.stream ?? [line.id, line.status].filter(Boolean).join(": ");
      for (const part of text.split("\n")) if (part.trim() !== "") note(part.trimEnd());
    });
  });
}

/** Without the layers of the engine that it came through. */
function plain(message: string): string {
  return message
    .replace(/^(failed to (solve( with frontend [\w.]+)?|create LLB definition): )+/, "")
    .trim();
}
