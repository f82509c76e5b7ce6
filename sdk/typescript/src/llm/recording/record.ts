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

/** The same model, with each call written to the file when it ends. Overwrites an existing file. */
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

/** Synchronously, so that the recording is complete even if the agent is killed. */
function append(path: string, call: RecordedCall): void {
  try {
    appendFileSync(path, `${JSON.stringify(call)}\n`);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): AgentError {
  const message = `can't write the recording: ${reasonOf(error)}`;
  return new AgentError("invalid", `${path}: ${message}`, { cause: error });
}
