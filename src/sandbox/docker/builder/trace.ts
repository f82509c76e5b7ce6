import { StringDecoder } from "node:string_decoder";
import type { StatusResponse } from "./messages.js";

const KEPT_LINES = 12;
/** What the builder does for itself, such as reading the Dockerfile. */
const INTERNAL = /^\[(\S+ )?internal\]/;
/** Steps that fetch and start the image of a `# syntax` line. */
const FRONTEND = /^(resolve image config for |docker-image:\/\/)/;

interface Step {
  name: string;
  isShown: boolean;
  isDone: boolean;
  /** The line that isn't complete. */
  rest: string;
  lines: string[];
  decoder: StringDecoder;
}

/** Turns what BuildKit reports on its steps, which run side by side, into lines. */
export class BuildTrace {
  readonly #note: (line: string) => void;
  readonly #steps = new Map<string, Step>();
  #failed: Step | null = null;

  constructor(note: (line: string) => void) {
    this.#note = note;
  }

  get failure(): { output: string[]; inFrontend: boolean } | null {
    const step = this.#failed;
    return step && { output: step.lines, inFrontend: FRONTEND.test(step.name) };
  }

  add({ vertexes, logs, warnings }: StatusResponse): void {
    for (const { digest, name, cached, started } of vertexes) {
      const step = this.#step(digest, name);
      if (!started || step.isShown || INTERNAL.test(name)) continue;
      step.isShown = true;
      this.#note(cached ? `CACHED ${name}` : name);
    }
    for (const { vertex, msg } of logs) this.#addOutput(this.#step(vertex), msg);
    for (const { short } of warnings) this.#note(`warning: ${Buffer.from(short)}`);
    for (const { digest, completed, error } of vertexes) {
      const step = this.#step(digest);
      if (error && !/\bcontext canceled$/.test(error)) this.#failed ??= step;
      if (completed && !step.isDone) this.#endOutput(step);
    }
  }

  #step(digest: string, name = ""): Step {
    let step = this.#steps.get(digest);
    if (!step) {
      const decoder = new StringDecoder("utf8");
      step = { name, isShown: false, isDone: false, rest: "", lines: [], decoder };
      this.#steps.set(digest, step);
    }
    step.name ||= name;
    return step;
  }

  #addOutput(step: Step, bytes: Uint8Array): void {
    const lines = (step.rest + step.decoder.write(Buffer.from(bytes))).split("\n");
    step.rest = lines.pop() ?? "";
    for (const line of lines) this.#addLine(step, line);
  }

  #endOutput(step: Step): void {
    step.isDone = true;
    this.#addLine(step, step.rest);
    step.rest = "";
  }

  #addLine(step: Step, line: string): void {
    // What a progress bar left on its line.
    const text = line.trimEnd().split("\r").at(-1) as string;
    if (text.trim() === "") return;
    step.lines.push(text);
    if (step.lines.length > KEPT_LINES) step.lines.shift();
    this.#note(text);
  }
}
