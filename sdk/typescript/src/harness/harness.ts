import { AgentError } from "../llm/errors.js";
import type { Tool } from "../llm/tool.js";
import type { Block, Message, ModelResponse, Retry, ToolCall } from "../llm/types.js";
import { UsageTotals } from "../llm/usage.js";
import { asAgentError, untilAborted } from "./abort.js";
import { Conversation } from "./conversation.js";
import { type Emit, emitTo } from "./emit.js";
import { runTool, type ToolOutcome } from "./run-tool.js";
import type { Handler, HarnessConfig, PromptEnd } from "./types.js";

/** Calls a model, runs the tools it calls, and repeats until it calls none. */
export class Harness {
  readonly #config: HarnessConfig & { maxTurns: number };
  readonly #tools: readonly Tool[];
  readonly #emit: Emit;
  readonly #conversation = new Conversation();
  readonly #usage = new UsageTotals();
  #running: AbortController | null = null;

  constructor(config: HarnessConfig, tools: readonly Tool[] = [], handler: Handler | null = null) {
    const { maxTurns = 10 } = config;
    checkLimit("maxTurns", maxTurns);
    checkLimit("maxTokens", config.maxTokens ?? 1);
    this.#config = { ...config, maxTurns };
    this.#tools = Object.freeze([...tools]);
    const names = new Set(tools.map(({ name }) => name));
    if (names.size < tools.length) throw new AgentError("invalid", "two tools have the same name");
    this.#emit = emitTo(handler ?? {});
  }

  /** All messages so far. It only grows, and is always valid to send with a new prompt. */
  get conversation(): readonly Message[] {
    return this.#conversation.messages;
  }

  /** Of all prompts, including cancelled and failed ones. */
  get usage(): UsageTotals {
    return this.#usage;
  }

  get running(): boolean {
    return this.#running !== null;
  }

  /** Cancels the running prompt, if any: it rejects, and the next one can start. */
  cancel(): void {
    this.#running?.abort();
  }

  /**
   * Runs until the model calls no tool or reaches `maxTurns`. Rejects with an AgentError if a
   * model call fails, and with one of kind `timeout` if the prompt is cancelled.
   */
  async prompt(
    content: string,
    signal?: AbortSignal,
    maxTurns: number = this.#config.maxTurns,
  ): Promise<PromptEnd> {
    if (this.#running) throw new AgentError("invalid", "another prompt is still running");
    if (content.trim() === "") throw new AgentError("invalid", "a prompt can't be empty");
    checkLimit("maxTurns", maxTurns);
    const own = new AbortController();
    const either = signal ? AbortSignal.any([own.signal, signal]) : own.signal;
    if (either.aborted) throw asAgentError(null, either);
    this.#running = own;
    try {
      const end = await this.#loop(content, maxTurns, either);
      this.#conversation.close(`Stopped after ${end.turns} turns.`);
      return end;
    } catch (error) {
      const failure = asAgentError(error, either);
      this.#repair(either.aborted ? "Cancelled." : "The model call failed.");
      throw failure;
    } finally {
      this.#running = null;
      this.#emit("status", { state: "idle", message: "" });
    }
  }

  async #loop(content: string, maxTurns: number, signal: AbortSignal): Promise<PromptEnd> {
    const usage = new UsageTotals();
    this.#conversation.append({ role: "user", content });
    this.#emit("user", { content });
    for (let turns = 1; ; turns++) {
      const response = await this.#ask(turns, signal);
      usage.add(response.usage);
      this.#usage.add(response.usage);
      this.#conversation.append(response.message);
      const end = { text: response.content, turns, usage };
      if (response.toolCalls.length === 0) {
        return { reason: response.stopReason === "max_tokens" ? "max_tokens" : "complete", ...end };
      }
      await this.#runTools(response.toolCalls, signal);
      if (turns >= maxTurns) return { reason: "max_turns", ...end };
    }
  }

  async #ask(turn: number, signal: AbortSignal): Promise<ModelResponse> {
    const { model, system, maxTokens, temperature, fit } = this.#config;
    this.#emit("status", { state: "thinking", message: `turn ${turn}` });
    const messages = this.#conversation.messages;
    let emitted = 0;
    let over = false;
    const onBlock = (block: Block) => {
      if (over) return;
      emitted++;
      this.#emitBlock(block);
    };
    const onRetry = (retry: Retry) => {
      if (over) return;
      emitted = 0;
      this.#emit("status", { state: "retrying", message: describeRetry(retry) });
    };
    const request = {
      messages: fit ? fit(messages) : messages,
      tools: this.#tools,
      onBlock,
      onRetry,
      ...(system === undefined ? {} : { system }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(temperature === undefined ? {} : { temperature }),
    };
    try {
      const response = await untilAborted(() => model.run(request, signal), signal);
      // Not every model streams its blocks.
      if (emitted === 0) for (const block of blocksOf(response)) this.#emitBlock(block);
      return response;
    } finally {
      // Blocks that arrive after an abort aren't part of the conversation.
      over = true;
    }
  }

  async #runTools(calls: readonly ToolCall[], signal: AbortSignal): Promise<void> {
    let failed: string | null = null;
    for (const call of calls) {
      if (failed !== null) {
        this.#addResult(call, { content: `Not run: ${failed} failed before it.`, isError: true });
        continue;
      }
      signal.throwIfAborted();
      const message = `running ${call.name}`;
      this.#emit("status", { state: "running_tool", message, tool: call.name });
      const outcome = await runTool(this.#tools, call, signal);
      this.#addResult(call, outcome);
      if (outcome.isError) failed = call.name;
    }
  }

  #addResult(call: ToolCall, { content, isError }: ToolOutcome): void {
    this.#conversation.append({ role: "tool_result", toolCallId: call.id, content, isError });
    this.#emit("toolResult", { id: call.id, name: call.name, result: content, isError });
  }

  /** Completes the conversation so that the next prompt can be sent. */
  #repair(note: string): void {
    for (const call of this.#conversation.unanswered()) {
      this.#addResult(call, { content: note, isError: true });
    }
    this.#conversation.close(note);
  }

  #emitBlock(block: Block): void {
    if (block.type === "toolCall") {
      const { id, name } = block.call;
      this.#emit("toolCall", { id, name, arguments: structuredClone(block.call.arguments) });
    } else {
      this.#emit(block.type, { content: block.text });
    }
  }
}

function checkLimit(name: string, value: number): void {
  if (!(value >= 1)) throw new AgentError("invalid", `${name} must be at least 1, not ${value}`);
}

function describeRetry({ attempt, delayMs, reason }: Retry): string {
  return `attempt ${attempt} in ${(delayMs / 1000).toFixed(1)} s: ${reason.message}`;
}

function blocksOf({ reasoning, content, toolCalls }: ModelResponse): Block[] {
  return [
    ...(reasoning ? [{ type: "reasoning" as const, text: reasoning }] : []),
    ...(content ? [{ type: "text" as const, text: content }] : []),
    ...toolCalls.map((call) => ({ type: "toolCall" as const, call })),
  ];
}
