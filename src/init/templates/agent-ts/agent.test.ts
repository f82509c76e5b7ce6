// npm test
import assert from "node:assert/strict";
import { test } from "node:test";
import { drive, localShell, scripted } from "term-sdk/testing";
import { solve } from "./solve.ts";

const instruction = "Create a file hello.txt containing 'Hello, world!'";

test("writes the file, checks it and completes", async () => {
  const shell = scripted([
    { command: /hello\.txt/, output: "", exitCode: 0 },
    { command: "cat hello.txt", output: "Hello, world!", exitCode: 0 },
  ]);
  const trial = await drive(solve, { instruction, shell });
  assert.equal(trial.completed, true);
  assert.equal(trial.commands.length, 2);
});

test("writes the file even if a folder has its name", async () => {
  const shell = await localShell(); // real commands, in a fresh folder of this machine
  try {
    await shell.run("mkdir hello.txt");
    await drive(solve, { instruction, shell });
    assert.equal((await shell.run("cat hello.txt")).output, "Hello, world!");
  } finally {
    await shell.close();
  }
});
