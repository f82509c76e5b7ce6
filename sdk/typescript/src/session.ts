import { log, reasonOf } from "./log.js";
import { Request } from "./request.js";
import { Response } from "./response.js";

/** Lines to and from a runner: stdin and stdout, or a test that acts as the runner. */
export interface Channel {
  /** The next line, or null if the runner has closed its side. */
  receive(): Promise<string | null>;
  /** False if the reader is gone. */
  send(line: string): Promise<boolean>;
}

/** The runner has ended the trial; no more commands can run. */
export class SessionClosed extends Error {
  override readonly name = "SessionClosed";
}

/** Requests and responses over a channel. */
export class Session {
  readonly #channel: Channel;
  readonly #whenClosed: Promise<null>;
  #markClosed: () => void = () => {};
  #closed = false;

  constructor(channel: Channel) {
    this.#channel = channel;
    this.#whenClosed = new Promise((resolve) => {
      this.#markClosed = () => resolve(null);
    });
  }

  /** The next request, or null if there are no more. */
  async next(): Promise<Request | null> {
    while (!this.#closed) {
      const line = await Promise.race([this.#channel.receive(), this.#whenClosed]);
      if (line === null) break;
      if (line.trim() === "") continue;
      try {
        return Request.parse(line);
      } catch (error) {
        // The runner expects one response per line, even for a line we can't parse.
        log(`can't parse the request: ${reasonOf(error)}`);
        await this.send(Response.say("The request could not be read.").toLine());
      }
    }
    return null;
  }

  async send(line: string): Promise<boolean> {
    return !this.#closed && (await this.#channel.send(line));
  }

  /** Ends a pending `next`; nothing is sent from now on. */
  close(): void {
    this.#closed = true;
    this.#markClosed();
  }
}
