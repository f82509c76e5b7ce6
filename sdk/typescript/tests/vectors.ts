import { readFileSync } from "node:fs";
import { Response, type ResponseData } from "../src/index.js";

/** The test vectors that every SDK must pass. */
export function vectors<T extends { name: string }>(file: string): T[] {
  const url = new URL(`../../conformance/${file}.jsonl`, import.meta.url);
  const lines = readFileSync(url, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as T);
}

// biome-ignore lint/suspicious/noExplicitAny: arguments as the vectors give them.
export type Call = [method: string, ...args: any[]];

/** Builds the response that a vector describes as calls. */
export function build(calls: Call[]): Response {
  let response = new Response();
  for (const [method, ...args] of calls) response = apply(response, method, args);
  return response;
}

// biome-ignore lint/suspicious/noExplicitAny: arguments as the vectors give them.
function apply(response: Response, method: string, args: any[]): Response {
  switch (method) {
    case "cmd":
      return Response.cmd(args[0], args[1]);
    case "say":
      return Response.say(args[0]);
    case "done":
      return Response.done(args[0]);
    case "with_text":
      return response.withText(args[0]);
    case "with_data":
      return response.withData(args[0] as ResponseData);
    case "with_usage": {
      const { model, input_tokens, output_tokens, cost_usd } = args[0];
      return response.withUsage({
        model,
        inputTokens: input_tokens,
        outputTokens: output_tokens,
        costUsd: cost_usd,
      });
    }
    case "complete":
      return response.complete();
    default:
      throw new Error(`unknown call ${method}`);
  }
}
