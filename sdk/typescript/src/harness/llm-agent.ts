import { Agent } from "../agent.js";
import { GiveUp } from "../give-up.js";
import { limits } from "../limits.js";
import type { Tool } from "../llm/tool.js";
import type { Model, ModelResponse } from "../llm/types.js";
import { reasonOf } from "../log.js";
import type { Request } from "../request.js";
import { Response } from "../response.js";
import { Harness } from "./harness.js";
import { PendingUsage } from "./pending-usage.js";
import { nudge, openingPrompt, SYSTEM } from "./prompts.js";
import { StepExchange } from "./step-exchange.js";
import { terminalTools } from "./terminal-tools.js";
import type { Handler } from "./types.js";
import { ContextWindow } from "./window.js";

export interface LlmAgentOptions {
  model: Model;
  /** Replaces the built-in system prompt. */
  system?: string;
  /** In addition to `shell` and `finish`. They run in the agent's process, not in the terminal. */
  tools?: readonly Tool[];
  /** Total model calls. Default: the runner's step limit, else 100. */
  maxTurns?: number;
  /** Tokens per model response. Default: the model's configuration. */
  maxTokens?: number;
  temperature?: number;
  /** The model's context window, if the model itself doesn't know it. */
  contextTokens?: number;
  /** Characters of one command's output that the model sees. Default: 30,000, less in a small window. */
  outputLimit?: number;
  handler?: Handler;
}

/** An agent for `run` that lets a model work in the terminal. Each `shell` call is a step. */
export function llmAgent(options: LlmAgentOptions): Agent {
  return new LlmAgent(options);
}

class LlmAgent extends Agent {
  readonly #harness: Harness;
  readonly #window: ContextWindow;
  readonly #maxTurns: number;
  readonly #exchange = new StepExchange();
  readonly #usage = new PendingUsage();
  #working: Promise<void> | null = null;
  #ended = false;
  /** Model text that no step has reported yet. */
  #texts: string[] = [];
  #failedThisTurn = false;

  constructor(options: LlmAgentOptions) {
    super();
    const { model, system = SYSTEM, maxTokens, temperature, handler } = options;
    this.#maxTurns = options.maxTurns ?? limits().maxSteps ?? 100;
    const budget = inputBudget(options.contextTokens ?? model.contextTokens, maxTokens);
    const terminal = terminalTools({
      step: (response) => this.#step(response),
      failedThisTurn: () => this.#failedThisTurn,
      outputLimit: options.outputLimit ?? Math.min(30_000, Math.floor(budget * 0.75)),
    });
    const tools = [...terminal, ...(options.tools ?? [])];
    const window = new ContextWindow(budget, system.length + JSON.stringify(tools).length);
    this.#window = window;
    const config = {
      model: watch(model, (response) => this.#note(response)),
      system,
      maxTurns: this.#maxTurns,
      fit: window.fit.bind(window),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(temperature === undefined ? {} : { temperature }),
    };
    this.#harness = new Harness(config, tools, handler);
  }

  override solve(request: Request): Promise<Response> {
    const response = this.#exchange.request(request);
    this.#working ??= this.#work(request).catch((error) => {
      const reason = this.#ended ? "it was ended" : `the model failed: ${reasonOf(error)}`;
      this.#exchange.fail(new GiveUp(reason, { cause: error, usage: this.#usage.take() }));
    });
    return response;
  }

  override cleanup(): void {
    this.#ended = true;
    this.#harness.cancel();
  }

  /** Prompts the model until it calls `finish` or reaches `maxTurns`. */
  async #work(first: Request): Promise<void> {
    let content = openingPrompt(first, limits(), this.#maxTurns);
    for (let turns = 0; ; ) {
      const end = await this.#harness.prompt(content, undefined, this.#maxTurns - turns);
      turns += end.turns;
      if (turns >= this.#maxTurns) {
        const text = `Stopped after ${turns} turns, before the model finished.`;
        this.#exchange.respond(this.#report(Response.done(text)));
        return;
      }
      const silent = end.text === "" ? "The model said nothing." : "";
      const request = await this.#step(Response.say(silent));
      content = nudge(end.reason === "max_tokens", request.error);
    }
  }

  async #step(response: Response): Promise<Request> {
    const request = await this.#exchange.respond(this.#report(response));
    this.#failedThisTurn ||= request.failed;
    return request;
  }

  /** Adds the model's text and usage since the last step. */
  #report(response: Response): Response {
    const texts = [...this.#texts, response.text].filter((text) => text);
    this.#texts = [];
    const withText = texts.length > 0 ? response.withText(texts.join("\n\n")) : response;
    const usage = this.#usage.take();
    return usage ? withText.withUsage(usage) : withText;
  }

  #note({ reasoning, content, usage }: ModelResponse): void {
    this.#usage.add(usage);
    this.#texts = [reasoning, content];
    this.#failedThisTurn = false;
    if (usage.inputTokens !== null) this.#window.measure(usage.inputTokens);
  }
}

function watch(model: Model, onResponse: (response: ModelResponse) => void): Model {
  return {
    name: model.name,
    contextTokens: model.contextTokens,
    async run(request, signal) {
      const response = await model.run(request, signal);
      onResponse(response);
      return response;
    },
  };
}

/** Tokens of the context window left for input, after reserving `maxTokens` for the response. */
function inputBudget(contextTokens: number | null, maxTokens = 16_384): number {
  if (contextTokens === null) return Number.POSITIVE_INFINITY;
  return Math.max(contextTokens - maxTokens, contextTokens / 2);
}
