import { log, reasonOf } from "./log.js";
import { Request } from "./request.js";
import { Response } from "./response.js";

/** Lines to and from a runner: stdin and stdout, or a test that plays the runner. */
export interface Channel {
  /** The next line, or null when the runner has closed its side. */
  receive(): Promise<string | null>;
  /** False when nobody reads any more. */
  send(line: string): Promise<boolean>;
}

/** The runner has ended the trial, so no command can run any more. */
export class SessionClosed extends Error {
  override readonly name = "SessionClosed";
}

/** Requests and answers over a channel. */
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

  /** The next request, or null when there will be none. */
  async next(): Promise<Request | null> {
    while (!this.#closed) {
      const line = await Promise.race([this.#channel.receive(), this.#whenClosed]);
      if (line === null) break;
      if (line.trim() === "") continue;
      try {
        return Request.parse(line);
      } catch (error) {
        // The runner waits for one answer to each line, also to one we can't read.
        log(`unreadable request: ${reasonOf(error)}`);
        await this.send(Response.say("The request could not be read.").toLine());
      }
    }
    return null;
  }

  async send(line: string): Promise<boolean> {
    return !this.#closed && (await this.#channel.send(line));
  }

  /** Wakes whoever waits for a request; nothing is sent from now on. */
  close(): void {
    this.#closed = true;
    this.#markClosed();
  }
}
