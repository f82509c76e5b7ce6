/** The fields of ATIF v1.7: `R` is required, `o` optional. Nothing else is allowed in an object. */
type Kind = (value: unknown, path: string) => string[];
type Fields = Record<string, [need: "R" | "o", kind: Kind]>;

const text: Kind = (value, path) => (typeof value === "string" ? [] : [`${path} is not a string`]);
const number: Kind = (value, path) =>
  typeof value === "number" ? [] : [`${path} is not a number`];
const truth: Kind = (value, path) =>
  typeof value === "boolean" ? [] : [`${path} is not a boolean`];
const anyObject: Kind = (value, path) => (isObject(value) ? [] : [`${path} is not an object`]);
const whole =
  (least: number): Kind =>
  (value, path) =>
    Number.isInteger(value) && Number(value) >= least ? [] : [`${path} is not an integer`];
const oneOf =
  (...words: string[]): Kind =>
  (value, path) =>
    words.includes(value as string) ? [] : [`${path} is not one of ${words}`];
const either =
  (...kinds: Kind[]): Kind =>
  (value, path) =>
    kinds.some((kind) => kind(value, path).length === 0) ? [] : [`${path} has a wrong type`];
const list =
  (kind: Kind): Kind =>
  (value, path) =>
    Array.isArray(value)
      ? value.flatMap((item, place) => kind(item, `${path}[${place}]`))
      : [`${path} is not a list`];
const object =
  (fields: Fields): Kind =>
  (value, path) => {
    if (!isObject(value)) return [`${path} is not an object`];
    const unknown = Object.keys(value).filter((name) => !(name in fields));
    return [
      ...unknown.map((name) => `${path}.${name} is unknown`),
      ...Object.entries(fields).flatMap(([name, [need, kind]]) => {
        const own = value[name];
        if (own === undefined || own === null)
          return need === "R" ? [`${path}.${name} is missing`] : [];
        return kind(own, `${path}.${name}`);
      }),
    ];
  };

const extra: ["o", Kind] = ["o", anyObject];
const content = either(
  text,
  list(
    object({
      type: ["R", oneOf("text", "image")],
      text: ["o", text],
      source: ["o", object({ media_type: ["R", text], path: ["R", text] })],
    }),
  ),
);
const toolCall = object({
  tool_call_id: ["R", text],
  function_name: ["R", text],
  arguments: ["R", anyObject],
  extra,
});
const result = object({
  source_call_id: ["o", text],
  content: ["o", content],
  subagent_trajectory_ref: ["o", list(anyObject)],
  extra,
});
const metrics = object({
  prompt_tokens: ["o", whole(0)],
  completion_tokens: ["o", whole(0)],
  cached_tokens: ["o", whole(0)],
  cost_usd: ["o", number],
  prompt_token_ids: ["o", list(whole(0))],
  completion_token_ids: ["o", list(whole(0))],
  logprobs: ["o", list(number)],
  extra,
});
const step = object({
  step_id: ["R", whole(1)],
  source: ["R", oneOf("system", "user", "agent")],
  message: ["R", content],
  timestamp: ["o", text],
  model_name: ["o", text],
  reasoning_effort: ["o", either(text, number)],
  reasoning_content: ["o", text],
  tool_calls: ["o", list(toolCall)],
  observation: ["o", object({ results: ["R", list(result)] })],
  metrics: ["o", metrics],
  llm_call_count: ["o", whole(0)],
  is_copied_context: ["o", truth],
  extra,
});
const trajectory = object({
  schema_version: ["R", oneOf("ATIF-v1.7")],
  session_id: ["o", text],
  trajectory_id: ["o", text],
  agent: [
    "R",
    object({
      name: ["R", text],
      version: ["R", text],
      model_name: ["o", text],
      tool_definitions: ["o", list(anyObject)],
      extra,
    }),
  ],
  steps: ["R", list(step)],
  final_metrics: [
    "o",
    object({
      total_prompt_tokens: ["o", whole(0)],
      total_completion_tokens: ["o", whole(0)],
      total_cached_tokens: ["o", whole(0)],
      total_cost_usd: ["o", number],
      total_steps: ["o", whole(0)],
      extra,
    }),
  ],
  notes: ["o", text],
  continued_trajectory_ref: ["o", text],
  subagent_trajectories: ["o", list(anyObject)],
  extra,
});

const AGENT_ONLY = ["model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics"];

/** What is wrong with a document; empty if it is valid. */
export function checkAtif(document: unknown): string[] {
  const problems = trajectory(document, "trajectory");
  if (problems.length > 0) return problems;
  const steps = (document as { steps: Step[] }).steps;
  if (steps.length === 0) problems.push("no steps");
  for (const [place, own] of steps.entries()) {
    if (own.step_id !== place + 1) problems.push(`step ${place + 1} has the id ${own.step_id}`);
    if (own.source !== "agent")
      for (const name of AGENT_ONLY)
        if (own[name as keyof Step] != null) problems.push(`${own.source} step has ${name}`);
    const calls = (own.tool_calls ?? []).map((call) => call.tool_call_id);
    for (const { source_call_id: id } of own.observation?.results ?? [])
      if (id !== undefined && !calls.includes(id)) problems.push(`no call ${id} in its step`);
  }
  return problems;
}

interface Step {
  step_id: number;
  source: string;
  tool_calls?: { tool_call_id: string }[];
  observation?: { results: { source_call_id?: string }[] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
