import { createWriteStream, type WriteStream } from "node:fs";
import type { ResultPromise } from "execa";
import split2 from "split2";
import { messageOf } from "../errors.js";
import type { AgentEnd } from "../events/records.js";
import type {
  Agent,
  AgentContext,
  AgentReply,
  AgentSession,
  RunOptions,
} from "../interfaces/index.js";
import { findDescendants, killMarked, killQuietly } from "../process/marked.js";
import { watchdog } from "../process/watchdog.js";
import { encodeRequest } from "../protocol/encode.js";
import type { StepRequest } from "../protocol/types.js";
import { checkResponse } from "../protocol/validate.js";
import type { AgentEnvironment } from "./environment.js";
import { Inbox } from "./inbox.js";
import { launchAgent } from "./launch.js";
import type { AgentCommand } from "./resolve.js";
import { isWaitingForInput } from "./waiting.js";

const CLEANUP_MS = 5_000;
const TERM_MS = 5_000;
const LAST_WORDS_MS = 500;
const UNCLOSED_ROUNDS = 5;
const STDERR_TAIL = 2_000;
const RAW_SHOWN = 2_000;

/** Any program that reads a JSON line on stdin and answers with one on stdout. */
export class CommandAgent implements Agent {
  readonly name: string;
  readonly #command: AgentCommand;
  readonly #environment: AgentEnvironment;
  readonly #redact: (text: string) => string;

  constructor(
    command: AgentCommand,
    environment: AgentEnvironment,
    redact: (text: string) => string = (text) => text,
  ) {
    this.name = command.name;
    this.#command = command;
    this.#environment = environment;
    this.#redact = redact;
  }

  async start(context: AgentContext): Promise<AgentSession> {
    const { command, args } = this.#command;
    const { child, marker } = launchAgent(this.#command, {
      ...this.#environment.env,
      ...limitVariables(context),
    });
    context.emit({
      type: "agent_started",
      command: [command, ...args],
      pid: child.pid ?? null,
      withheld_env: this.#environment.withheld,
    });
    return new CommandSession(child, marker, context, {
      withheld: this.#environment.withheld,
      redact: this.#redact,
    });
  }
}

function limitVariables({ task, attempt, limits, agentTimeoutSec }: AgentContext) {
  return {
    TERM_TASK: task.name,
    TERM_ATTEMPT: String(attempt),
    TERM_MAX_STEPS: String(limits.maxSteps),
    ...(agentTimeoutSec === null ? {} : { TERM_AGENT_TIMEOUT_SEC: String(agentTimeoutSec) }),
    TERM_STEP_TIMEOUT_SEC: String(limits.stepTimeoutSec),
    TERM_COMMAND_TIMEOUT_SEC: String(limits.commandTimeoutSec),
  };
}

class CommandSession implements AgentSession {
  readonly #child: ResultPromise;
  readonly #marker: string;
  readonly #inbox: Inbox;
  readonly #withheld: string[];
  readonly #stderrLog: WriteStream;
  readonly #exit: Promise<{
    exitCode: number | null;
    signal: string | null;
    problem: string | null;
  }>;
  #stderrTail = "";
  #step = 0;

  constructor(
    child: ResultPromise,
    marker: string,
    context: AgentContext,
    options: { withheld: string[]; redact: (text: string) => string },
  ) {
    this.#child = child;
    this.#marker = marker;
    this.#withheld = options.withheld;
    this.#inbox = new Inbox(child.stdout as NonNullable<typeof child.stdout>, (text) =>
      context.emit({ type: "agent_noise", step: this.#step, text: text.slice(0, RAW_SHOWN) }),
    );
    child.stdin?.on("error", () => {});
    this.#stderrLog = createWriteStream(context.stderrFile, { flags: "a" });
    this.#stderrLog.on("error", () => {});
    // Drained all the time: a full pipe would freeze the agent.
    child.stderr
      ?.pipe(split2({ maxLength: 1_000_000, skipOverflow: true } as object))
      .on("data", (line: string) => {
        const text = options.redact(line);
        this.#stderrTail = `${this.#stderrTail}${text}\n`.slice(-STDERR_TAIL);
        this.#stderrLog.write(`${text}\n`);
        context.emit({ type: "agent_stderr", text });
      });
    this.#exit = exitOf(child);
  }

  async ask(request: StepRequest, options: RunOptions): Promise<AgentReply> {
    const deadline = performance.now() + options.timeoutMs;
    this.#step = request.step;
    this.#inbox.open();
    this.#child.stdin?.write(encodeRequest(request));
    for (let quiet = 0; ; ) {
      const timeoutMs = deadline - performance.now();
      const ended = this.#exit.then(() => wait(LAST_WORDS_MS));
      const next = this.#inbox.next({ timeoutMs, signal: options.signal });
      const message = await Promise.race([next, ended.then(() => null)]);
      if (message === null || message.kind === "end") return this.#explainExit();
      if (message.kind === "timeout") return { kind: "timeout" };
      if (message.kind === "malformed") return invalid(message.problem, message.raw);
      if (message.kind === "object") {
        const checked = checkResponse(message.value);
        return checked.ok
          ? { kind: "response", response: checked.response }
          : invalid(checked.problem, message.raw);
      }
      if (message.kind === "noise") continue;
      const waiting = await isWaitingForInput(this.#child.pid ?? 0);
      if (!waiting && ++quiet < UNCLOSED_ROUNDS) continue;
      const unclosed = this.#inbox.giveUp();
      if (unclosed?.kind === "malformed") return invalid(unclosed.problem, unclosed.raw);
      if (waiting) return invalid("what the agent printed is not a JSON object", "");
    }
  }

  async close(end: AgentEnd): Promise<{ exitCode: number | null; signal: string | null }> {
    const pid = this.#child.pid ?? 0;
    const group = -pid;
    // Now, while their parents live: an orphan can't be told from any other process.
    const below = pid === 0 ? [] : await findDescendants(pid);
    this.#child.stdin?.end();
    const gone = this.#exit.then(() => true);
    const within = (ms: number) => Promise.race([gone, wait(ms).then(() => false)]);
    const gentle = end === "completed" && (await within(CLEANUP_MS));
    if (!gentle && group !== 0) {
      killQuietly(group, "SIGTERM");
      await within(TERM_MS);
    }
    if (group !== 0) killQuietly(group, "SIGKILL");
    for (const descendant of below) killQuietly(descendant, "SIGKILL");
    await killMarked(this.#marker);
    watchdog.releaseMarked(this.#marker);
    watchdog.releaseTree(pid);
    const over = await Promise.race([this.#exit, wait(TERM_MS).then(() => null)]);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    await new Promise<void>((resolve) => this.#stderrLog.end(() => resolve()));
    return { exitCode: over?.exitCode ?? null, signal: over?.signal ?? null };
  }

  async #explainExit(): Promise<AgentReply> {
    const over = await Promise.race([this.#exit, wait(LAST_WORDS_MS).then(() => null)]);
    const how = !over
      ? "closed its stdout"
      : (over.problem ??
        (over.signal ? `was ended by ${over.signal}` : `exited with code ${over.exitCode}`));
    const last = this.#stderrTail.trim();
    const words = last === "" ? "" : `; the last of its stderr:\n${last}`;
    const hint =
      this.#withheld.length === 0
        ? null
        : `These variables were kept from the agent: ${this.#withheld.join(", ")}. Pass one with --env NAME.`;
    return {
      kind: "exited",
      message: `the agent ${how} before it completed the task${words}`,
      hint,
    };
  }
}

function invalid(problem: string, raw: string): AgentReply {
  return { kind: "invalid", problem, raw: raw.slice(0, RAW_SHOWN) };
}

function exitOf(child: ResultPromise) {
  type Exit = { exitCode: number | null; signal: string | null; problem: string | null };
  return new Promise<Exit>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal, problem: null }));
    child.once("error", (error) =>
      resolve({
        exitCode: null,
        signal: null,
        problem: `could not be started: ${messageOf(error)}`,
      }),
    );
  });
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
