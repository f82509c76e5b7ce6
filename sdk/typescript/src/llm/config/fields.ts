import { AgentError } from "../errors.js";
import { nearestOf } from "./nearest.js";
import type { ModelConfig } from "./types.js";

interface Field {
  variable: string;
  must: string;
  isValid(value: unknown): boolean;
  /** Parses the variable's value. */
  parse(text: string): unknown;
  /** Never shown in a message. */
  secret?: boolean;
}

const DAY_SEC = 86_400;

const FIELDS: { [Name in keyof Required<ModelConfig>]: Field } = {
  provider: choice("TERM_MODEL_PROVIDER", ["claude", "openai"]),
  model: text("TERM_MODEL"),
  maxTokens: integer("TERM_MODEL_MAX_TOKENS", 1),
  temperature: number("TERM_MODEL_TEMPERATURE", 0, 2),
  apiKey: { ...text("TERM_MODEL_API_KEY"), secret: true },
  baseUrl: {
    variable: "TERM_MODEL_BASE_URL",
    must: "an http or https URL",
    isValid: (value) => typeof value === "string" && /^https?:$/.test(protocolOf(value)),
    parse: (value) => value,
    // It may contain a password.
    secret: true,
  },
  requestTimeoutSec: number("TERM_MODEL_REQUEST_TIMEOUT_SEC", 0.001, DAY_SEC),
  stallTimeoutSec: number("TERM_MODEL_STALL_TIMEOUT_SEC", 0.001, DAY_SEC),
  maxRetries: integer("TERM_MODEL_MAX_RETRIES", 0),
  retryDelaySec: number("TERM_MODEL_RETRY_DELAY_SEC", 0, DAY_SEC),
  contextTokens: integer("TERM_MODEL_CONTEXT_TOKENS", 1),
  price: {
    variable: "TERM_MODEL_PRICE",
    must: 'dollars per million tokens, such as {"input": 2, "output": 10}, optionally with cacheRead and cacheWrite',
    isValid: isPrice,
    parse: parseJson,
  },
  thinking: choice("TERM_MODEL_THINKING", ["adaptive"]),
  thinkingTokens: integer("TERM_MODEL_THINKING_TOKENS", 1024),
  record: text("TERM_MODEL_RECORD"),
  replay: text("TERM_MODEL_REPLAY"),
};

/** Validates an object's fields and returns those that are set. */
export function checkFields(values: object, source: string): ModelConfig {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  for (const [name, value] of known) {
    const field = FIELDS[name as keyof ModelConfig];
    if (!Object.hasOwn(FIELDS, name)) {
      const nearest = nearestOf(name, Object.keys(FIELDS));
      const hint = nearest ? `; did you mean "${nearest}"?` : "";
      throw new AgentError("invalid", `${source}: unknown field "${name}"${hint}`);
    }
    check(field, value, `${source}: "${name}"`);
  }
  return Object.fromEntries(known);
}

/** An empty variable counts as unset. */
export function environmentFields(env: Record<string, string | undefined>): ModelConfig {
  const set = Object.entries(FIELDS).filter(([, { variable }]) => env[variable]);
  return Object.fromEntries(
    set.map(([name, field]) => {
      const value = field.parse(env[field.variable] as string);
      check(field, value, field.variable);
      return [name, value];
    }),
  );
}

function check(field: Field, value: unknown, place: string): void {
  if (field.isValid(value)) return;
  const shown = field.secret ? "" : `, not ${JSON.stringify(value)}`;
  throw new AgentError("invalid", `${place} must be ${field.must}${shown}`);
}

function text(variable: string): Field {
  return {
    variable,
    must: "a non-empty string",
    isValid: (value) => typeof value === "string" && value.trim() !== "",
    parse: (value) => value,
  };
}

function choice(variable: string, values: string[]): Field {
  return {
    variable,
    must: values.map((value) => `"${value}"`).join(" or "),
    isValid: (value) => values.includes(value as string),
    parse: (value) => value,
  };
}

function integer(variable: string, least: number): Field {
  return {
    variable,
    must: `an integer of at least ${least}`,
    isValid: (value) => Number.isSafeInteger(value) && (value as number) >= least,
    parse: parseJson,
  };
}

function number(variable: string, least: number, most: number): Field {
  return {
    variable,
    must: `a number from ${least} to ${most}`,
    isValid: (value) => typeof value === "number" && value >= least && value <= most,
    parse: parseJson,
  };
}

function isPrice(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const {
    input,
    output,
    cacheRead = 0,
    cacheWrite = 0,
    ...others
  } = value as Record<string, unknown>;
  return (
    [input, output, cacheRead, cacheWrite].every(
      (part) => Number.isFinite(part) && Number(part) >= 0,
    ) && Object.keys(others).length === 0
  );
}

/** Leaves invalid JSON as it is; validation rejects it. */
function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : "";
}
