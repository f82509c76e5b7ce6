import { readFileSync } from "node:fs";
import { reasonOf } from "../../log.js";
import { AgentError } from "../errors.js";
import { FORMAT, type Header, type RecordedCall, VERSION } from "./format.js";

export interface Recording {
  header: Header;
  calls: RecordedCall[];
}

export function readRecording(path: string): Recording {
  const [first = "", ...lines] = readText(path).split("\n");
  // An agent killed while writing leaves a partial line without a newline.
  lines.pop();
  const header = parse(first, path, 1) as Header;
  if (header?.format !== FORMAT) {
    throw new AgentError("invalid", `${path}: not a model recording`);
  }
  if (header.version !== VERSION) {
    const message = `format version ${header.version}, but this SDK reads version ${VERSION}`;
    throw new AgentError("invalid", `${path}: ${message}`);
  }
  const calls = lines.map((line, index) => parse(line, path, index + 2) as RecordedCall);
  return { header, calls };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const message = `can't read the recording: ${reasonOf(error)}`;
    throw new AgentError("invalid", `${path}: ${message}`, { cause: error });
  }
}

function parse(line: string, path: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new AgentError("invalid", `${path}: line ${number} isn't valid JSON`, { cause: error });
  }
}
