import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { reasonOf } from "../../log.js";
import { AgentError } from "../errors.js";
import type { Block, Message, Model } from "../types.js";
import {
  FORMAT,
  type Header,
  type RecordedCall,
  recordingPath,
  toRecordedMessage,
  toRecordedRequest,
  VERSION,
} from "./format.js";

/** The same model, and each call is written to the file as it ends. An older file is replaced. */
export function recordModel(model: Model, file: string): Model {
  const path = recordingPath(file);
  let calls = 0;
  let before: Message[] = [];
  return {
    name: model.name,
    contextTokens: model.contextTokens,
    async run(request, signal) {
      if (calls === 0) start(path, model);
      const call = ++calls;
      const recorded = toRecordedRequest(request, before);
      before = request.messages.map(toRecordedMessage);
      let blocks: Block[] = [];
      const write = (end: Pick<RecordedCall, "response" | "error">) =>
        append(path, { call, request: recorded, blocks, ...end });
      try {
        const response = await model.run(
          {
            ...request,
            onBlock(block) {
              blocks.push(block);
              request.onBlock?.(block);
            },
            onRetry(retry) {
              blocks = [];
              request.onRetry?.(retry);
            },
          },
          signal,
        );
        write({ response });
        return response;
      } catch (error) {
        if (error instanceof AgentError) {
          const { kind, message, status } = error;
          write({ error: { kind, message, status } });
        }
        throw error;
      }
    },
  };
}

function start(path: string, { name, contextTokens }: Model): void {
  const header: Header = { format: FORMAT, version: VERSION, model: name, contextTokens };
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(header)}\n`);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** At once, so that what was recorded is there even if the agent is killed. */
function append(path: string, call: RecordedCall): void {
  try {
    appendFileSync(path, `${JSON.stringify(call)}\n`);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): AgentError {
  const message = `the recording can't be written: ${reasonOf(error)}`;
  return new AgentError("invalid", `${path}: ${message}`, { cause: error });
}
