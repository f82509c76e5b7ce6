import { describe, expect, it } from "vitest";
import { readCopies } from "../../src/check-task/dockerfile.js";
import { judgeDockerfile } from "../../src/check-task/leaks.js";
import { findTasks } from "../../src/task/find.js";
import { type Files, SOUND, writeTasks } from "./check.js";

describe("the sources of", () => {
  it.each([
    ["COPY a b /dest/", ["a", "b"]],
    ["copy ./a/ /dest", ["a"]],
    ["ADD --chown=1:1 --chmod=755 /a /dest", ["a"]],
    ['COPY ["with blank", "b", "/dest"]', ["with blank", "b"]],
    ["COPY a \\\n  # between\n  b \\\n  /dest", ["a", "b"]],
    ["COPY . .", [""]],
    ["COPY ../tests /dest", ["tests"]],
    ["ONBUILD COPY a /dest", ["a"]],
  ])("%j are %j", (text, sources) => {
    expect(readCopies(`FROM x\n${text}\n`)).toEqual([{ line: 2, sources }]);
  });

  it.each([
    "COPY --from=builder /tests /tests",
    "ADD https://localhost/tests.tar /tests",
    "RUN cat <<EOF\nCOPY tests /tests\nEOF",
    "COPY <<EOF /dest\ntext\nEOF",
    "# COPY tests /tests",
    "RUN cp tests /tests",
  ])("%j are not in the context", (text) => {
    expect(readCopies(`FROM x\n${text}\n`)).toEqual([]);
  });
});

describe("a Dockerfile", () => {
  const terminalBench = (dockerfile: string, more: Files = {}): Files => ({
    "task.toml": null,
    "instruction.md": null,
    "solution/solve.sh": null,
    "tests/test.sh": null,
    "task.yaml": "instruction: Write 42 to answer.txt.\n",
    Dockerfile: `FROM debian:bookworm-slim\n${dockerfile}\n`,
    "run-tests.sh": "#!/bin/bash\npytest /tests/test_outputs.py\n",
    "tests/test_outputs.py": "def test_it():\n    assert open('answer.txt').read()\n",
    "solution.sh": "#!/bin/bash\necho 42 >answer.txt\n",
    "data/input.csv": "a,b\n",
    ...more,
  });
  const harbor = (dockerfile: string, more: Files): Files => ({
    ...more,
    "environment/Dockerfile": `FROM debian:bookworm-slim\n${dockerfile}\n`,
  });
  const solution = SOUND["solution/solve.sh"] as string;

  it.each([
    ["takes all of the context along", terminalBench("COPY . /app"), "failed"],
    ["takes the tests along", terminalBench("COPY tests /app"), "failed"],
    ["takes the solution along by a pattern", terminalBench("COPY sol*.sh /app"), "failed"],
    ["takes only data along", terminalBench("COPY data/ /app"), "passed"],
    [
      "copies everything that .dockerignore lets through",
      terminalBench("COPY . /app", { ".dockerignore": "tests\nsolution.sh\nrun-tests.sh\n" }),
      "passed",
    ],
    ["has a copy of the solution", harbor("COPY x /x", { "environment/x/s": solution }), "failed"],
    ["has tests of its own", harbor("COPY tests /t", { "environment/tests/u": "else" }), "warning"],
  ])("that %s", async (_, files, status) => {
    const { tasks, unreadable } = await findTasks([writeTasks({ task: files })]);
    expect(unreadable).toEqual([]);
    const finding = await judgeDockerfile(tasks[0] as (typeof tasks)[number]);
    expect(finding).toMatchObject({ status });
  });
});
