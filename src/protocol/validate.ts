import { readFileSync } from "node:fs";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { LegacyCommand, ResponseData, StepResponse } from "./types.js";

function load(name: string): object {
  return JSON.parse(
    readFileSync(new URL(`./schemas/${name}.schema.json`, import.meta.url), "utf8"),
  );
}

const ajv = new Ajv({ allowUnionTypes: true, verbose: true });
const compiled = new Map<string, ValidateFunction>();

function validator(name: string): ValidateFunction {
  const known = compiled.get(name) ?? ajv.compile(load(name));
  compiled.set(name, known);
  return known;
}

/** Deeper values could not be written to the log. */
const MAX_DEPTH = 100;

export type Checked = { ok: true; response: StepResponse } | { ok: false; problem: string };

/** Reads a parsed JSON value as a response, in the current form or the legacy one. */
export function checkResponse(value: unknown): Checked {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { ok: false, problem: "the response is not a JSON object" };
  if (isTooDeep(value))
    return { ok: false, problem: `the response is nested more than ${MAX_DEPTH} levels deep` };
  const fields = value as Record<string, unknown>;
  const legacy = "commands" in fields && !("command" in fields);
  const validate = validator(legacy ? "legacy-response" : "response");
  if (!validate(value)) return { ok: false, problem: explain(validate.errors?.[0]) };
  return { ok: true, response: legacy ? fromLegacy(fields) : fromFields(fields) };
}

/** Level by level: a recursion would fail where this matters. */
function isTooDeep(value: object): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((entry) =>
      typeof entry === "object" && entry !== null ? Object.values(entry) : [],
    );
  }
  return false;
}

function fromFields(fields: Record<string, unknown>): StepResponse {
  const { command, task_complete, text, data, ...extra } = fields;
  return {
    command: (command as string | null | undefined) ?? null,
    task_complete: task_complete === true,
    text: (text as string | null | undefined) ?? null,
    data: (data as ResponseData | null | undefined) ?? null,
    extra,
  };
}

/** Keystrokes become shell lines, one after another. */
function fromLegacy(fields: Record<string, unknown>): StepResponse {
  const { analysis, plan, commands, task_complete, ...extra } = fields;
  const legacy = (commands as { keystrokes: string; duration?: number | null }[]).map(
    (entry): LegacyCommand => ({ keystrokes: entry.keystrokes, duration: entry.duration ?? null }),
  );
  const lines = legacy.map((entry) => entry.keystrokes.replace(/[\r\n]+$/, "")).filter(Boolean);
  return {
    command: lines.length > 0 ? lines.join("\n") : null,
    task_complete: task_complete === true,
    text: [analysis, plan].filter(Boolean).join("\n") || null,
    data: null,
    extra,
    legacy,
  };
}

function explain(error: ErrorObject | undefined): string {
  if (!error) return "the response does not fit the protocol";
  const field = error.instancePath.slice(1).replaceAll("/", ".") || "the response";
  if (error.keyword === "pattern")
    return `"${field}" contains a NUL character, which no shell can run`;
  const got = JSON.stringify(error.data)?.slice(0, 60);
  const types = error.keyword === "type" ? ([] as string[]).concat(error.params.type) : null;
  const wanted = types ? `must be ${types.join(" or ")}` : error.message;
  return `"${field}" ${wanted}, not ${got}`;
}
