// node --test
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CHECK, solve, WRITE } from "./solve.mjs";

const AGENT = fileURLToPath(new URL("agent.mjs", import.meta.url));

function request(step, last_command = null, output = null, exit_code = null) {
  const instruction = "Create a file hello.txt containing 'Hello, world!'";
  return { instruction, step, last_command, output, exit_code, cwd: "/app" };
}

test("starts with a command", async () => {
  assert.equal((await solve(request(1))).command, WRITE);
});

test("checks before it is done", async () => {
  assert.equal((await solve(request(2, WRITE, "", 0))).command, CHECK);
  assert.equal((await solve(request(3, CHECK, "Hello, world!", 0))).task_complete, true);
});

test("tries again after a failure", async () => {
  assert.match((await solve(request(2, WRITE, "Is a directory", 1))).command, /rm -rf/);
});

test("the program answers each line with a line", () => {
  const requests = [request(1), request(2, WRITE, "", 0), request(3, CHECK, "Hello, world!", 0)];
  const input = requests.map((one) => `${JSON.stringify(one)}\n`).join("");
  const { stdout, status } = spawnSync(process.execPath, [AGENT], { input, encoding: "utf8" });
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    answers.map((answer) => answer.command),
    [WRITE, CHECK, null],
  );
  assert.equal(status, 0);
});
