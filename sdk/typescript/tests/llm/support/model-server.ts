import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  anthropicError,
  anthropicEvents,
  anthropicMessage,
  anthropicOverloadedEvent,
} from "./anthropic-wire.js";
import {
  openaiCompletion,
  openaiError,
  openaiEvents,
  openaiOverloadedEvent,
} from "./openai-wire.js";
import type { Answer, Turn } from "./turn.js";

export type Script = readonly Turn[] | ((request: ReceivedRequest) => Turn | Promise<Turn>);

export interface ReceivedRequest {
  /** Starts at 1. */
  number: number;
  api: Api;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the providers' bodies.
  body: any;
  /** Resolves when its connection closes; false if that was before the end of the response. */
  ended: Promise<boolean>;
}

type Api = "anthropic" | "openai";

const PATHS: Record<string, Api> = {
  "/v1/messages": "anthropic",
  "/v1/chat/completions": "openai",
};

/** A model server on loopback that implements both APIs and responds from a script. */
export class ModelServer {
  /** Every request received so far. */
  readonly requests: ReceivedRequest[] = [];
  #port = 0;
  readonly #script: Script;
  readonly #server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk) => chunks.push(chunk));
    message.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      this.#handle(message.url ?? "", message.headers, body, response).catch((error) => {
        send(response, 400, {}, { error: { message: String(error) } });
      });
    });
  });

  private constructor(script: Script) {
    this.#script = script;
  }

  static async start(script: Script): Promise<ModelServer> {
    const server = new ModelServer(script);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    server.#port = (server.#server.address() as AddressInfo).port;
    return server;
  }

  /** The base URL for Anthropic's clients. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The base URL for OpenAI's clients. */
  get openaiUrl(): string {
    return `${this.url}/v1`;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #handle(
    path: string,
    headers: IncomingHttpHeaders,
    text: string,
    response: ServerResponse,
  ) {
    const api = PATHS[path.split("?")[0] ?? ""];
    if (!api) return send(response, 404, {}, { error: { message: `no such path: ${path}` } });
    const ended = once(response, "close").then(() => response.writableFinished);
    const number = this.requests.length + 1;
    const request = { number, api, headers, body: JSON.parse(text), ended };
    this.requests.push(request);
    const turn = await this.#turnFor(request);
    if ("status" in turn) {
      const body = turn.body ?? errorOf(api, turn.status, `scripted error ${turn.status}`);
      return send(response, turn.status, turn.headers ?? {}, body);
    }
    return request.body.stream === true
      ? stream(turn, request, response)
      : answerWhole(turn, request, response);
  }

  async #turnFor(request: ReceivedRequest): Promise<Turn> {
    if (typeof this.#script === "function") return this.#script(request);
    const turn = this.#script[request.number - 1];
    if (turn) return turn;
    const message = `the script has no turn ${request.number}`;
    return { status: 400, body: errorOf(request.api, 400, message) };
  }
}

async function stream(answer: Answer, request: ReceivedRequest, response: ServerResponse) {
  const { api, body, number } = request;
  const events =
    api === "anthropic"
      ? anthropicEvents(answer, body.model, number)
      : openaiEvents(answer, body.model, number, body.stream_options?.include_usage === true);
  const { fault } = answer;
  const sent = fault ? events.slice(0, fault.afterEvents) : events;
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of sent) await write(response, event);
  switch (fault?.type) {
    case undefined:
    case "end":
      response.end();
      return;
    case "cut":
      response.destroy();
      return;
    case "stall":
      return;
    case "malformed":
      response.end('event: content_block_delta\ndata: {"type": "content_bl\n\n');
      return;
    case "overloaded":
      response.end(api === "anthropic" ? anthropicOverloadedEvent() : openaiOverloadedEvent());
  }
}

function answerWhole(answer: Answer, { api, body, number }: ReceivedRequest, res: ServerResponse) {
  switch (answer.fault?.type) {
    case undefined: {
      const whole = api === "anthropic" ? anthropicMessage : openaiCompletion;
      return send(res, 200, {}, whole(answer, body.model, number));
    }
    case "cut":
      res.destroy();
      return;
    case "stall":
      return;
    case "end":
    case "malformed":
      res.writeHead(200, { "content-type": "application/json" }).end('{"type": "mess');
      return;
    case "overloaded":
      return send(res, 529, {}, errorOf(api, 529, "Overloaded"));
  }
}

function errorOf(api: Api, status: number, message: string): object {
  return (api === "anthropic" ? anthropicError : openaiError)(status, message);
}

/** Waits until the bytes are flushed, so that a cut comes after them. */
function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    // It's fine if the client is gone.
    response.write(text, () => resolve());
  });
}

function send(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: unknown,
): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}
