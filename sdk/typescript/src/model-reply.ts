export interface ModelAnswer {
  command: string | null;
  taskComplete: boolean;
  text: string | null;
}

/**
 * The first JSON object in a model's reply that is an answer, or null. Not a later one: a
 * model that continues after its command has invented that command's output.
 */
export function readModelReply(reply: string): ModelAnswer | null {
  // Skip a reasoning model's thinking.
  const said = reply.split("</think>").at(-1) ?? "";
  for (let start = said.indexOf("{"); start >= 0; start = said.indexOf("{", start + 1)) {
    const object = objectAt(said, start);
    const answer = object === null ? null : asAnswer(object);
    if (answer !== null) return answer;
  }
  return null;
}

/** `data` is deliberately dropped: a model must not report its own cost. */
function asAnswer(object: Record<string, unknown>): ModelAnswer | null {
  const command = object.command ?? null;
  if (command !== null && typeof command !== "string") return null;
  const taskComplete = object.task_complete === true;
  const text = typeof object.text === "string" ? object.text : null;
  // Models write "" for no command.
  if (command !== null && command !== "") return { command, taskComplete, text };
  const answers = "command" in object || typeof object.task_complete === "boolean";
  return answers ? { command: null, taskComplete, text } : null;
}

function objectAt(text: string, start: number): Record<string, unknown> | null {
  // A cheap lookahead avoids rescanning code with many braces.
  const opening = /\{[ \t\r\n]*["}]/y;
  opening.lastIndex = start;
  if (!opening.test(text)) return null;
  const json = balancedObject(text, start);
  if (json === null) return null;
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** The text from a brace to its closing brace, with raw line breaks inside strings escaped. */
function balancedObject(text: string, start: number): string | null {
  let json = "";
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (inString && char === "\\") {
      json += char + text.charAt(++at);
      continue;
    }
    if (char === '"') inString = !inString;
    json += inString && char < " " ? JSON.stringify(char).slice(1, -1) : char;
    if (inString) continue;
    if (char === "{") depth++;
    if (char === "}" && --depth === 0) return json;
  }
  return null;
}
