import type { TrialResult } from "../events/records.js";
import type { StoredRun } from "../events/run-folder.js";
import type { Story, StoryStep } from "../events/story.js";

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

/** A trial as an ATIF document: the task, then a step for each answer of the agent. */
export function toAtif(run: StoredRun, story: Story, result: TrialResult | null) {
  const { record } = run;
  const models = result?.usage?.models ?? [];
  const steps = [describeTask(story, result), ...story.steps.map(describeStep)].map(
    (step, place) => ({ step_id: place + 1, ...step }),
  );
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
    ...(story.instruction === null ? { notes: "The log does not hold the instruction." } : {}),
    extra: describeResult(run, result),
  };
}

function describeTask(story: Story, result: TrialResult | null) {
  return {
    source: "user",
    ...known("timestamp", story.started_at),
    message: story.instruction ?? `Task ${result?.task ?? story.trial}`,
  };
}

function describeStep(step: StoryStep) {
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
    ...describeCommand(step),
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

function describeCommand({ step, command, ran }: StoryStep) {
  if (command === null) return {};
  const id = `step-${step}`;
  const call = { tool_call_id: id, function_name: TOOL, arguments: { command } };
  if (!ran) return { tool_calls: [call] };
  const { output, finished_at: _, started_at: __, ...extra } = ran;
  return {
    tool_calls: [call],
    observation: { results: [{ source_call_id: id, content: output, extra }] },
  };
}

function describeResult({ record }: StoredRun, result: TrialResult | null) {
  return {
    harness: { name: "term-run", version: record.term_run },
    sandbox: record.sandbox,
    ...(result
      ? {
          task: result.task,
          task_digest: result.task_digest,
          attempt: result.attempt,
          outcome: result.outcome,
          reward: result.reward,
          rewards: result.rewards,
          error: result.error,
        }
      : { outcome: "unfinished" }),
  };
}

// What isn't known is left out rather than null.
function known<K extends string, V>(key: K, value: V | null | undefined): { [key in K]?: V } {
  return value === null || value === undefined ? {} : ({ [key]: value } as { [key in K]: V });
}
