import { onTestFinished } from "vitest";
import type { Handler, HarnessEvents } from "../../../src/harness/index.js";
import { claude, defineTool, type ProviderConfig, type Tool } from "../../../src/llm/index.js";
import { ModelServer, type Script } from "../../llm/support/model-server.js";
import type { Answer } from "../../llm/support/turn.js";

/** A Claude model with the real client and scripted responses. */
export async function scriptedClaude(script: Script, config: ProviderConfig = {}) {
  const server = await ModelServer.start(script);
  onTestFinished(() => server.close());
  const model = claude({
    model: "scripted",
    baseUrl: server.url,
    apiKey: "key-of-the-test",
    retryDelaySec: 0.001,
    price: { input: 1_000_000, output: 2_000_000 },
    ...config,
  });
  return { server, model };
}

export const say = (text: string): Answer => ({ text });

export const call = (...calls: [name: string, args: object | string][]): Answer => ({
  toolCalls: calls.map(([name, args]) => ({ name, arguments: args })),
});

/** A tool `work` that calls `execute` with its argument `what`. */
export function workTool(execute: (what: string, signal: AbortSignal) => unknown): Tool {
  return defineTool({
    name: "work",
    description: "Works.",
    parameters: {
      type: "object",
      properties: { what: { type: "string" } },
      required: ["what"],
    },
    execute: ({ what }, { signal }) => execute(what, signal),
  });
}

type Heard = { [Name in keyof HarnessEvents]: [Name, HarnessEvents[Name] & { timestamp: number }] };

/** A handler that records events and lets a test wait for one. */
export class Listener implements Required<Handler> {
  readonly heard: Heard[keyof HarnessEvents][] = [];
  #grown = () => {};

  user = (event: Heard["user"][1]) => this.#keep(["user", event]);
  reasoning = (event: Heard["reasoning"][1]) => this.#keep(["reasoning", event]);
  text = (event: Heard["text"][1]) => this.#keep(["text", event]);
  toolCall = (event: Heard["toolCall"][1]) => this.#keep(["toolCall", event]);
  toolResult = (event: Heard["toolResult"][1]) => this.#keep(["toolResult", event]);
  status = (event: Heard["status"][1]) => this.#keep(["status", event]);

  /** One line per event, without its timestamp. */
  get lines(): string[] {
    return this.heard.map(([name, { timestamp: _, ...fields }]) => {
      return `${name} ${Object.values(fields).map(describe).join(" ")}`.trimEnd();
    });
  }

  async until(line: string): Promise<void> {
    while (!this.lines.includes(line)) {
      await new Promise<void>((resolve) => {
        this.#grown = resolve;
      });
    }
  }

  #keep(event: Heard[keyof HarnessEvents]): void {
    this.heard.push(event);
    this.#grown();
  }
}

function describe(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
