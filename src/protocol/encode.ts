import type { StepRequest } from "./types.js";

/** One request as its line, laid out as in the protocol's own examples: `{"a": 1, "b": null}`. */
export function encodeRequest(request: StepRequest): string {
  const { instruction, step, last_command, output, exit_code, cwd, error } = request;
  const fields = { instruction, step, last_command, output, exit_code, cwd };
  const entries = Object.entries(error === undefined ? fields : { ...fields, error });
  return `{${entries.map(([name, value]) => `"${name}": ${JSON.stringify(value)}`).join(", ")}}\n`;
}
