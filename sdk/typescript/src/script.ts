import { CommandResult } from "./command-result.js";
import { host } from "./host.js";
import { log, reasonOf, traceOf } from "./log.js";
import type { Request } from "./request.js";
import { Response, type ResponseData, type Usage } from "./response.js";
import { type Session, SessionClosed } from "./session.js";

/** Returning completes the task. A string becomes its text; a Response is sent with its data. */
export type Script = (terminal: Terminal, task: Request) => unknown;

export interface CommandOptions {
  text?: string;
  data?: ResponseData;
  usage?: Usage;
}

/** The terminal as a script sees it. */
export class Terminal {
  readonly #session: Session;
  #cwd: string;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(session: Session, task: Request) {
    this.#session = session;
    this.#cwd = task.cwd;
  }

  get cwd(): string {
    return this.#cwd;
  }

  /** Runs one command, which is one step. Overlapping calls run in sequence. */
  run(command: string, options: CommandOptions = {}): Promise<CommandResult> {
    const result = this.#queue.then(() => this.#step(command, options));
    this.#queue = result.catch(() => {});
    return result;
  }

  /** Resolves once all queued commands have run. */
  async settled(): Promise<void> {
    await this.#queue;
  }

  async #step(command: string, options: CommandOptions): Promise<CommandResult> {
    let response = Response.cmd(command, options.text);
    if (options.data) response = response.withData(options.data);
    if (options.usage) response = response.withUsage(options.usage);
    const sent = await this.#session.send(response.toLine());
    const request = sent ? await this.#session.next() : null;
    if (request === null) throw new SessionClosed("the runner has closed the session");
    if (request.error !== null)
      throw new Error(`the runner rejected the response: ${request.error}`);
    this.#cwd = request.cwd;
    return new CommandResult(command, request);
  }
}

/** Runs a script over stdin and stdout, with control inverted: the script calls the terminal. */
export async function runScript(script: Script): Promise<void> {
  let working: Promise<boolean> | undefined;
  await host({
    work(session) {
      working = serveScript(script, session);
      return working;
    },
    // On a signal the pending command fails, and the script's own `finally` cleans up.
    cleanup: async () => {
      await working;
    },
  });
}

/** False if the script failed: it can't continue, and a failure isn't completion. */
export async function serveScript(
  script: Script,
  session: Session,
  onError: (error: unknown) => void = () => {},
): Promise<boolean> {
  const task = await session.next();
  if (task === null) return true;
  const terminal = new Terminal(session, task);
  try {
    const value = await script(terminal, task);
    const line = completion(value).toLine();
    await terminal.settled();
    await session.send(line);
    return true;
  } catch (error) {
    if (error instanceof SessionClosed) return true;
    onError(error);
    log(`the script failed: ${traceOf(error)}`);
    await terminal.settled();
    await session.send(Response.say(`the script failed: ${reasonOf(error)}`).toLine());
    return false;
  }
}

function completion(value: unknown): Response {
  if (value instanceof Response) return value.complete();
  return Response.done(typeof value === "string" ? value : null);
}
