// Asks for the commands it was started with, one per step, then completes.
import { createInterface } from "node:readline";

const commands = process.argv.slice(2);
for await (const line of createInterface({ input: process.stdin })) {
  const command = commands[JSON.parse(line).step - 1] ?? null;
  console.log(JSON.stringify({ command, task_complete: command === null }));
}
