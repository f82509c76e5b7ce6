// Answers every request immediately with the same command, for a given number of steps.
import { createInterface } from "node:readline";

const command = process.env.BENCH_COMMAND;
const steps = Number(process.env.BENCH_STEPS);
for await (const line of createInterface({ input: process.stdin })) {
  const { step } = JSON.parse(line);
  const answer = step > steps ? { task_complete: true } : { command };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
