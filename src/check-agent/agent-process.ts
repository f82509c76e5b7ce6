import type { ResultPromise } from "execa";
import { launchAgent } from "../agent/launch.js";
import type { AgentCommand } from "../agent/resolve.js";
import { isWaitingForInput, isWaitingOnlyForInput } from "../agent/waiting.js";
import { messageOf, TermRunError } from "../errors.js";
import { findDescendants, killMarked, killQuietly } from "../process/marked.js";
import { watchdog } from "../process/watchdog.js";
import { encodeRequest } from "../protocol/encode.js";
import type { StepRequest } from "../protocol/types.js";
import { checkResponse } from "../protocol/validate.js";
import { findLeft, findRunning } from "./left.js";
import { Mailbox } from "./mailbox.js";
import type { Answer, SessionRecord } from "./types.js";

const TERM_MS = 1_000;
const LAST_WORDS_MS = 500;
const POLL_MS = 30;
/** So long must an agent wait for nothing but input before no answer is expected any more. */
const STUCK_MS = 3_000;
const STDERR_TAIL = 2_000;

/** One process of the agent under the eyes of the check. */
export class AgentProcess {
  readonly mailbox: Mailbox;
  readonly #child: ResultPromise;
  readonly #marker: string;
  readonly #signal: AbortSignal;
  #exit: { how: string; at: number } | null = null;
  #problem: unknown = null;
  #wake = () => {};
  #stderr = "";
  #below: number[] = [];
  #killed = false;
  readonly #onAbort = () => this.#wake();

  constructor(command: AgentCommand, env: Record<string, string>, signal: AbortSignal) {
    const { child, marker } = launchAgent(command, env);
    this.#child = child;
    this.#marker = marker;
    this.#signal = signal;
    this.mailbox = new Mailbox(child.stdout as NonNullable<typeof child.stdout>, () =>
      this.#wake(),
    );
    child.stdin?.on("error", () => {});
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL);
    });
    child.once("exit", (code, by) =>
      this.#leave(by ? `was ended by ${by}` : `exited with code ${code}`),
    );
    child.once("error", (error) => {
      this.#problem = error;
      this.#leave("could not be started");
    });
    signal.addEventListener("abort", this.#onAbort);
  }

  get stderr(): string {
    return this.#stderr.trim();
  }

  send(request: StepRequest): void {
    this.#child.stdin?.write(encodeRequest(request));
  }

  /** The next thing the agent writes, or the reason why nothing comes. */
  async answer(timeoutMs: number): Promise<Answer> {
    const deadline = performance.now() + timeoutMs;
    let idleSince: number | null = null;
    for (;;) {
      this.#check();
      const letter = this.mailbox.next();
      if (letter) return judge(letter);
      if (this.#over()) return this.#explainEnd();
      const now = performance.now();
      const stuck = idleSince !== null && now - idleSince >= STUCK_MS;
      if (now >= deadline || stuck) break;
      await this.#sleep(Math.min(deadline - now, idleSince === null ? 10 * POLL_MS : POLL_MS * 3));
      const idle = await isWaitingOnlyForInput(this.#child.pid ?? 0);
      idleSince = idle ? (idleSince ?? performance.now()) : null;
    }
    const unclosed = this.mailbox.giveUp();
    return unclosed ? judge(unclosed) : { kind: "silent" };
  }

  /** Resolves once something was written, the agent ended, or nothing will come: true for bytes. */
  async spills(timeoutMs: number): Promise<boolean> {
    const reply = await this.answer(timeoutMs);
    return reply.kind === "response" || reply.kind === "invalid" || this.mailbox.hasBytes;
  }

  /** Until the agent waits for its next request, so that all it wants to say has been said. */
  async settle(atMostMs: number): Promise<void> {
    const deadline = performance.now() + atMostMs;
    for (let waiting = 0; waiting < 2 && performance.now() < deadline; ) {
      this.#check();
      if (this.#over()) return;
      await pause(POLL_MS);
      waiting = (await isWaitingForInput(this.#child.pid ?? 0)) ? waiting + 1 : 0;
    }
    await pause(0);
  }

  /** Closes stdin, sees whether the agent ends by itself and alone, and leaves nothing behind. */
  async close(cleanupMs: number): Promise<Pick<SessionRecord, "exit" | "left">> {
    // Now, while their parents live: an orphan can't be told from any other process.
    this.#below = await findDescendants(this.#child.pid ?? -1);
    const closed = performance.now();
    this.#child.stdin?.end();
    try {
      await this.#untilExit(cleanupMs);
      const exit = this.#exit && { how: this.#exit.how, ms: Math.max(0, this.#exit.at - closed) };
      const left = exit ? await findLeft(this.#marker, this.#below) : null;
      if (exit) await this.#untilEnd(LAST_WORDS_MS);
      return { exit, left };
    } finally {
      await this.kill();
    }
  }

  async kill(): Promise<void> {
    if (this.#killed) return;
    this.#killed = true;
    this.#signal.removeEventListener("abort", this.#onAbort);
    const group = -(this.#child.pid ?? 0);
    if (group !== 0 && !this.#exit) {
      killQuietly(group, "SIGTERM");
      await this.#untilExit(TERM_MS);
    }
    if (group !== 0) killQuietly(group, "SIGKILL");
    for (const pid of await findRunning(this.#below)) killQuietly(pid, "SIGKILL");
    await killMarked(this.#marker);
    watchdog.releaseMarked(this.#marker);
    watchdog.releaseTree(this.#child.pid ?? 0);
    this.#child.stdin?.destroy();
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  async #explainEnd(): Promise<Answer> {
    await this.#untilExit(LAST_WORDS_MS);
    this.#check();
    return { kind: "exited", how: this.#exit?.how ?? "closed its stdout" };
  }

  #leave(how: string): void {
    this.#exit ??= { how, at: performance.now() };
    this.#wake();
  }

  /** Gone, and its last words were read. */
  #over(): boolean {
    if (this.mailbox.ended) return true;
    return this.#exit !== null && performance.now() - this.#exit.at > LAST_WORDS_MS;
  }

  #check(): void {
    this.#signal.throwIfAborted();
    if (this.#problem)
      throw new TermRunError(
        "agent_unusable",
        `the agent can't be started: ${messageOf(this.#problem)}`,
        { cause: this.#problem },
      );
  }

  async #untilExit(ms: number): Promise<void> {
    const deadline = performance.now() + ms;
    while (!this.#exit && performance.now() < deadline && !this.#signal.aborted)
      await this.#sleep(deadline - performance.now());
  }

  async #untilEnd(ms: number): Promise<void> {
    const deadline = performance.now() + ms;
    while (!this.mailbox.ended && performance.now() < deadline)
      await this.#sleep(deadline - performance.now());
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake(), Math.max(1, ms));
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve();
      };
    });
  }
}

function judge(letter: NonNullable<ReturnType<Mailbox["next"]>>): Answer {
  const { raw } = letter;
  if (letter.kind === "malformed") return { kind: "invalid", problem: letter.problem, raw };
  const checked = checkResponse(letter.value);
  return checked.ok
    ? { kind: "response", response: checked.response, raw }
    : { kind: "invalid", problem: checked.problem, raw };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
