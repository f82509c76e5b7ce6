import { Agent } from "../agent.js";
import { GiveUp } from "../give-up.js";
import { limits } from "../limits.js";
import type { Tool } from "../llm/tool.js";
import type { Model, ModelResponse } from "../llm/types.js";
import { reasonOf } from "../log.js";
import type { Request } from "../request.js";
import { Response } from "../response.js";
import { Harness } from "./harness.js";
import { Meeting } from "./meeting.js";
import { nudge, openingPrompt, SYSTEM } from "./prompts.js";
import { Spending } from "./spending.js";
import { terminalTools } from "./terminal-tools.js";
import type { Handler } from "./types.js";
import { ContextWindow } from "./window.js";

export interface LlmAgentOptions {
  model: Model;
  /** In place of the instructions that come with it. */
  system?: string;
  /** Beside `shell` and `finish`. They run where the agent runs, not in the terminal. */
  tools?: readonly Tool[];
  /** Model calls in all; the runner's limit on steps when left out, else 100. */
  maxTurns?: number;
  /** Tokens for one answer; what the model is configured for when left out. */
  maxTokens?: number;
  temperature?: number;
  /** The model's window, where the model itself doesn't know it. */
  contextTokens?: number;
  /** Characters that the model sees of one output; 30,000, less in a small window. */
  outputLimit?: number;
  handler?: Handler;
}

/** An agent for `run` that lets a model work in the terminal: a call of `shell` is a step. */
export function llmAgent(options: LlmAgentOptions): Agent {
  return new LlmAgent(options);
}

class LlmAgent extends Agent {
  readonly #harness: Harness;
  readonly #window: ContextWindow;
  readonly #maxTurns: number;
  readonly #meeting = new Meeting();
  readonly #spending = new Spending();
  #working: Promise<void> | null = null;
  #ended = false;
  /** What the model said and no step has told yet. */
  #said: string[] = [];
  #failedThisTurn = false;

  constructor(options: LlmAgentOptions) {
    super();
    const { model, system = SYSTEM, maxTokens, temperature, handler } = options;
    this.#maxTurns = options.maxTurns ?? limits().maxSteps ?? 100;
    const room = roomFor(options.contextTokens ?? model.contextTokens, maxTokens);
    const terminal = terminalTools({
      step: (response) => this.#step(response),
      failedThisTurn: () => this.#failedThisTurn,
      outputLimit: options.outputLimit ?? Math.min(30_000, Math.floor(room * 0.75)),
    });
    const tools = [...terminal, ...(options.tools ?? [])];
    const window = new ContextWindow(room, system.length + JSON.stringify(tools).length);
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
    const answer = this.#meeting.request(request);
    this.#working ??= this.#work(request).catch((error) => {
      const reason = this.#ended ? "it was ended" : `the model failed: ${reasonOf(error)}`;
      this.#meeting.fail(new GiveUp(reason, { cause: error, usage: this.#spending.take() }));
    });
    return answer;
  }

  override cleanup(): void {
    this.#ended = true;
    this.#harness.cancel();
  }

  /** Prompts the model again and again, until it finishes or its turns are used up. */
  async #work(first: Request): Promise<void> {
    let content = openingPrompt(first, limits(), this.#maxTurns);
    for (let turns = 0; ; ) {
      const end = await this.#harness.prompt(content, undefined, this.#maxTurns - turns);
      turns += end.turns;
      if (turns >= this.#maxTurns) {
        const text = `Stopped after ${turns} turns, before the model finished.`;
        this.#meeting.answer(this.#report(Response.done(text)));
        return;
      }
      const silent = end.text === "" ? "The model said nothing." : "";
      const request = await this.#step(Response.say(silent));
      content = nudge(end.reason === "max_tokens", request.error);
    }
  }

  async #step(response: Response): Promise<Request> {
    const request = await this.#meeting.answer(this.#report(response));
    this.#failedThisTurn ||= request.failed;
    return request;
  }

  /** Adds what the model said, and what it cost, since the last step. */
  #report(response: Response): Response {
    const words = [...this.#said, response.text].filter((text) => text);
    this.#said = [];
    const told = words.length > 0 ? response.withText(words.join("\n\n")) : response;
    const usage = this.#spending.take();
    return usage ? told.withUsage(usage) : told;
  }

  #note({ reasoning, content, usage }: ModelResponse): void {
    this.#spending.add(usage);
    this.#said = [reasoning, content];
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

/** Tokens of the window that are left for what is sent, when an answer has its share. */
function roomFor(contextTokens: number | null, maxTokens = 16_384): number {
  if (contextTokens === null) return Number.POSITIVE_INFINITY;
  return Math.max(contextTokens - maxTokens, contextTokens / 2);
}
