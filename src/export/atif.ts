import type { StoredRun, Story, StoryPart, StoryStep } from "../events/index.js";
import { type DocumentTrial, outcomeOf } from "../report/index.js";

/** The version of the Agent Trajectory Interchange Format that is written. */
const SCHEMA_VERSION = "ATIF-v1.7";
const TOOL = "shell";

const SHELL_TOOL = {
  type: "function",
  function: {
    name: TOOL,
    description: "Runs a command line in the task's shell",
    parameters: {
      type: "object",
      properties: { command: { type: "string" } },
      required: ["command"],
    },
  },
};

/** A trial as an ATIF document: each part's instruction, then a step for each response of the agent. */
export function toAtif(run: StoredRun, trial: DocumentTrial, story: Story) {
  const { record } = run;
  const { result } = trial;
  const models = result?.usage?.models ?? [];
  const steps = describeSteps(trial, story);
  return {
    schema_version: SCHEMA_VERSION,
    session_id: record.run,
    trajectory_id: story.trial,
    agent: {
      name: record.agent.name,
      version: "unknown",
      ...(models.length === 1 ? { model_name: models[0] } : {}),
      tool_definitions: [SHELL_TOOL],
    },
    steps,
    final_metrics: {
      ...(result?.usage
        ? {
            total_prompt_tokens: result.usage.input_tokens,
            total_completion_tokens: result.usage.output_tokens,
          }
        : {}),
      ...known("total_cost_usd", result?.usage?.cost_usd),
      total_steps: steps.length,
    },
    ...(story.parts.some(({ instruction }) => instruction === null)
      ? { notes: "Some instructions are missing from the log." }
      : {}),
    extra: describeTrial(run, trial),
  };
}

/** The steps of all parts, numbered consecutively. */
function describeSteps(trial: DocumentTrial, { parts }: Story) {
  let id = 0;
  const next = () => {
    id += 1;
    return id;
  };
  return parts.flatMap((part) => [
    { step_id: next(), ...describeInstruction(trial, part) },
    ...part.steps.map((step) => {
      const step_id = next();
      return { step_id, ...describeStep(step, `call-${step_id}`) };
    }),
  ]);
}

function describeInstruction({ planned }: DocumentTrial, part: StoryPart) {
  const { name, number, of, instruction } = part;
  return {
    source: "user",
    ...known("timestamp", part.started_at),
    message: instruction ?? `Task ${name === null ? planned.task : `${planned.task}, ${name}`}`,
    ...(name === null ? {} : { extra: { part: name, number, of } }),
  };
}

function describeStep(step: StoryStep, callId: string) {
  const usage = step.data?.usage;
  const metrics = {
    ...known("prompt_tokens", usage?.input_tokens),
    ...known("completion_tokens", usage?.output_tokens),
    ...known("cost_usd", usage?.cost_usd),
  };
  return {
    source: "agent",
    timestamp: step.answered_at ?? step.started_at,
    message: step.text ?? "",
    ...known("model_name", usage?.model),
    ...describeCommand(step, callId),
    ...(Object.keys(metrics).length > 0 ? { metrics } : {}),
    extra: {
      cwd: step.cwd,
      duration_sec: step.thinking_sec,
      task_complete: step.task_complete,
      ...(step.answered_at === null ? { unanswered: true } : {}),
      ...(step.invalid.length > 0 ? { invalid: step.invalid } : {}),
    },
  };
}

function describeCommand({ command, refused, ran }: StoryStep, id: string) {
  if (command === null) return {};
  const call = { tool_call_id: id, function_name: TOOL, arguments: { command } };
  if (refused !== null)
    return {
      tool_calls: [call],
      observation: { results: [{ source_call_id: id, content: `refused: ${refused}` }] },
    };
  if (!ran) return { tool_calls: [call] };
  const { output, finished_at: _, started_at: __, ...extra } = ran;
  return {
    tool_calls: [call],
    observation: { results: [{ source_call_id: id, content: output, extra }] },
  };
}

function describeTrial({ record }: StoredRun, { planned, result }: DocumentTrial) {
  return {
    harness: { name: "term-run", version: record.term_run },
    sandbox: record.sandbox,
    task: planned.task,
    task_digest: planned.task_digest,
    attempt: planned.attempt,
    outcome: outcomeOf(result),
    reward: result?.reward ?? null,
    rewards: result?.rewards ?? null,
    error: result?.error ?? null,
  };
}

// What isn't known is left out rather than null.
function known<K extends string, V>(key: K, value: V | null | undefined): { [key in K]?: V } {
  return value === null || value === undefined ? {} : ({ [key]: value } as { [key in K]: V });
}
