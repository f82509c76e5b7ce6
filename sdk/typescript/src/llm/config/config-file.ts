import { readFileSync } from "node:fs";
import { reasonOf } from "../../log.js";
import { AgentError } from "../errors.js";
import { checkFields } from "./fields.js";
import type { ModelConfig } from "./types.js";

/** Errors name the file and the field. */
export function readConfigFile(file: string): ModelConfig {
  const values = parse(file);
  if (typeof values !== "object" || values === null || Array.isArray(values)) {
    throw new AgentError("invalid", `${file}: must contain a JSON object`);
  }
  return checkFields(values, file);
}

function parse(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new AgentError("invalid", `${file}: can't read it: ${reasonOf(error)}`, { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    // No cause: V8's message quotes the text, which may contain a key.
    throw new AgentError("invalid", `${file}: invalid JSON${positionOf(error)}`);
  }
}

function positionOf(error: unknown): string {
  const place = /at position \d+( \(line \d+ column \d+\))?/.exec(reasonOf(error));
  return place ? ` ${place[0]}` : "";
}
