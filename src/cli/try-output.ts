import { TermRunError } from "../errors.js";
import type { Event, TrialResult } from "../events/index.js";
import type { Task } from "../interfaces/index.js";
import { createPalette, formatNumber } from "../report/index.js";
import { EXIT } from "./exit-codes.js";

/** Shows a person's own trial as it happens. */
export function createTryOutput(): (event: Event) => void {
  const { stdout, stderr } = process;
  const announced = new Set<string>();
  return (event) => {
    switch (event.type) {
      case "image_progress":
        if (!announced.has(event.image))
          stderr.write(`term-run: preparing the image ${event.image}\n`);
        announced.add(event.image);
        break;
      case "part_started":
        stdout.write(`\npart ${event.number} of ${event.of}: ${event.part}\n`);
        break;
      case "command_started":
        stdout.write(`${dim(`$ ${event.command}`)}\n`);
        break;
      case "command_finished":
        if (event.output !== "") stdout.write(`${event.output}\n`);
        if (event.exit_code !== 0) stdout.write(`${dim(`exit code ${event.exit_code}`)}\n`);
        break;
      case "verifier_started":
        stdout.write(`\n${dim("verifying …")}\n`);
        break;
      case "verifier_finished":
        if (event.output !== "") stdout.write(`${event.output}\n`);
    }
  };
}

export function introduce(task: Task): void {
  process.stdout.write(`\n${task.instruction}\n\n`);
}

export function printHowToLeave(): void {
  process.stdout.write(`${dim("Leave the shell with exit or Ctrl-D to verify your work.")}\n`);
}

/** Prints the verdict; returns the exit code. */
export function conclude(result: TrialResult | null): number {
  const { green, red } = createPalette(process.stdout.isTTY === true);
  if (!result || result.outcome === "cancelled") return EXIT.interrupted;
  const { outcome, reward, rewards, error } = result;
  if (outcome === "infra_error")
    throw new TermRunError("infra", error?.message ?? "the sandbox failed", {
      ...(error?.hint ? { hint: error.hint } : {}),
    });
  const several = Object.entries(rewards ?? {}).length > 1 ? Object.entries(rewards ?? {}) : [];
  for (const [name, value] of several) process.stdout.write(`  ${name}  ${formatNumber(value)}\n`);
  const verdict =
    reward === null ? `no reward: ${error?.message}` : `reward ${formatNumber(reward)}`;
  const isPassed = outcome === "passed";
  process.stdout.write(`${isPassed ? green(`✓ ${verdict}`) : red(`✗ ${verdict}`)}\n`);
  return isPassed ? EXIT.ok : EXIT.below;
}

function dim(text: string): string {
  return createPalette(process.stdout.isTTY === true).dim(text);
}
