import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { readLines } from "../src/stdio.js";

const SDK = new URL("../src/index.ts", import.meta.url).href;

/** An agent in its own process, and the runner's side of its pipes. */
export class AgentProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly exited: Promise<[code: number | null, signal: string | null]>;
  stderr = "";
  #lines: AsyncGenerator<string, undefined>;
  #stderrGrew = () => {};

  constructor(code: string, env: Record<string, string> = {}) {
    const source = `import { Agent, GiveUp, Response, limits, run, runScript } from ${JSON.stringify(SDK)};\n${code}`;
    const args = ["--import", "tsx", "--input-type=module", "--eval", source];
    this.child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
    onTestFinished(() => void this.child.kill("SIGKILL"));
    this.child.stdin.on("error", () => {});
    this.exited = once(this.child, "close") as Promise<[number | null, string | null]>;
    void this.exited.then(() => this.#stderrGrew());
    this.#lines = readLines(this.child.stdout);
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.#stderrGrew();
    });
  }

  send(step: number, fields: Record<string, unknown> = {}): void {
    const empty = { last_command: null, output: null, exit_code: null, cwd: "/app" };
    const request = { instruction: "test", step, ...empty, ...fields };
    this.child.stdin.write(`${JSON.stringify(request)}\n`);
  }

  async receive(): Promise<unknown> {
    const { value } = await this.#lines.next();
    return value === undefined ? undefined : JSON.parse(value);
  }

  async ask(step: number, fields: Record<string, unknown> = {}): Promise<unknown> {
    this.send(step, fields);
    return this.receive();
  }

  /** Everything on stdout not received yet. */
  async rest(): Promise<string[]> {
    const lines: string[] = [];
    for await (const line of this.#lines) lines.push(line);
    return lines;
  }

  async untilStderr(text: string): Promise<void> {
    while (!this.stderr.includes(text)) {
      if (this.child.exitCode !== null) throw new Error(`it ended without ${text}: ${this.stderr}`);
      await new Promise<void>((resolve) => {
        this.#stderrGrew = resolve;
      });
    }
  }
}
