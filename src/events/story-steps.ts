import type { StoryCommand, StoryStep } from "./story.js";
import type { TrialEvent } from "./types.js";

export function createStep(event: TrialEvent & { type: "step_started" }): StoryStep {
  return {
    step: event.step,
    started_at: event.time,
    cwd: event.cwd,
    invalid: [],
    answered_at: null,
    text: null,
    command: null,
    task_complete: false,
    data: null,
    thinking_sec: 0,
    refused: null,
    ran: null,
    stderr: [],
    noise: [],
    notes: [],
  };
}

export function addStepEvent(step: StoryStep, event: TrialEvent): void {
  switch (event.type) {
    case "agent_noise":
      step.noise.push(event.text);
      break;
    case "response_invalid":
      step.invalid.push({ problem: event.problem, raw: event.raw });
      break;
    case "response":
      step.answered_at = event.time;
      step.text = event.text;
      step.command = event.command;
      step.task_complete = event.task_complete;
      step.data = event.data;
      step.thinking_sec = event.duration_sec;
      break;
    case "command_refused":
      step.command = event.command;
      step.refused = event.reason;
      break;
    case "command_started":
      step.command = event.command;
      step.ran = createCommand(event.time);
      break;
    case "command_finished": {
      const { exit_code, output, cut_bytes, timed_out, shell_restarted, duration_sec } = event;
      const finished = { exit_code, output, cut_bytes, timed_out, shell_restarted, duration_sec };
      const started = step.ran ?? createCommand(event.time);
      step.ran = { ...started, finished_at: event.time, ...finished };
      break;
    }
  }
}

function createCommand(time: string): StoryCommand {
  return {
    started_at: time,
    finished_at: time,
    exit_code: null,
    output: "",
    cut_bytes: 0,
    timed_out: false,
    shell_restarted: false,
    duration_sec: 0,
  };
}
