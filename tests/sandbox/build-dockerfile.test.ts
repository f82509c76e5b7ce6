import { describe, expect, it } from "vitest";
import {
  readDirective,
  readInstructions,
  withoutDirective,
} from "../../src/sandbox/docker/builder/dockerfile.js";
import { explainFeature } from "../../src/sandbox/docker/builder/explain.js";
import { withoutHeredocs } from "../../src/sandbox/docker/builder/heredocs.js";
import type { Build } from "../../src/task/compose/project.js";

const nothing = { leavesOut: () => false, hasExceptions: false, isSpecific: false };
const build: Build = {
  contextDir: "/none",
  dockerfile: "Dockerfile",
  args: {},
  target: null,
  network: null,
  extraHosts: [],
};

function translate(dockerfile: string) {
  return withoutHeredocs({ build, dockerfile, ignore: nothing, extraFiles: [] });
}

describe("readInstructions", () => {
  it("joins lines, skips comments, and finds flags and here-documents", () => {
    const text = [
      "# a comment",
      "FROM a",
      "RUN --mount=type=cache,target=/c --network=none \\",
      "  # inside",
      "",
      "  cat <<A 3<<-'B' && echo $((1<<2)) <<<c",
      "FROM not-an-instruction",
      "A",
      "\tb",
      "\tB",
      'COPY ["x", "<<y", "/"]',
    ].join("\n");
    expect(readInstructions(text)).toEqual([
      { line: 2, lastLine: 2, keyword: "FROM", flags: [], rest: "a", heredocs: [] },
      {
        line: 3,
        lastLine: 10,
        keyword: "RUN",
        flags: ["--mount=type=cache,target=/c", "--network=none"],
        rest: "cat <<A 3<<-'B' && echo $((1<<2)) <<<c",
        heredocs: [
          { name: "A", chomps: false, expands: true, body: "FROM not-an-instruction\n" },
          { name: "B", chomps: true, expands: false, body: "\tb\n" },
        ],
      },
      {
        line: 11,
        lastLine: 11,
        keyword: "COPY",
        flags: [],
        rest: '["x", "<<y", "/"]',
        heredocs: [],
      },
    ]);
  });

  it("continues lines as the Dockerfile says", () => {
    const [run] = readInstructions("# escape=`\nRUN a\\ `\n b\n");
    expect(run).toMatchObject({ rest: "a\\  b", line: 2, lastLine: 3 });
  });
});

describe("directives", () => {
  const text = "# syntax = docker/dockerfile:1\n#escape=`\n\n# syntax=later\nFROM a\n";

  it("count only at the top", () => {
    expect(readDirective(text, "syntax")).toBe("docker/dockerfile:1");
    expect(readDirective(`\n${text}`, "syntax")).toBeNull();
  });

  it("are taken out without moving the instructions", () => {
    expect(withoutDirective(text, "syntax")).toBe("#escape=`\n\n\n# syntax=later\nFROM a\n");
    expect(withoutDirective("# syntax=a\nFROM a", "syntax")).toBe("\nFROM a");
  });
});

describe("withoutHeredocs", () => {
  it("gives scripts to the stage's shell, and keeps the lines' numbers", () => {
    const text =
      'FROM a AS one\nSHELL ["/bin/bash", "-ec"]\nRUN <<-EOF\n\tls\n\tEOF\nFROM one\nRUN cat <<"B" >/x\n$y\nB\nFROM a\nRUN --network=none <<EOF\nls\nEOF\n';
    expect(translate(text)).toMatchObject({
      dockerfile:
        'FROM a AS one\nSHELL ["/bin/bash", "-ec"]\nRUN ["/bin/bash","-ec","ls\\n"]\n\n\nFROM one\nRUN ["/bin/bash","-ec","cat <<\\"B\\" >/x\\n$y\\nB"]\n\n\nFROM a\nRUN --network=none ["/bin/sh","-c","ls\\n"]\n\n\n',
      extraFiles: [],
    });
  });

  it("makes files of scripts with their own interpreter, and of what is copied", () => {
    const text = 'FROM a\nRUN <<EOF\n#!/bin/x\nEOF\nCOPY --chown=1 <<"A" b <<C /to/\n$a\nA\nc\nC\n';
    expect(translate(text)).toMatchObject({
      dockerfile:
        'FROM a\nRUN --mount=type=bind,source=.term-run-heredocs/2/EOF,target=/dev/pipes/EOF ["/dev/pipes/EOF"]\n\n\nCOPY --chown=1 .term-run-heredocs/5/A b .term-run-heredocs/5/C /to/\n\n\n\n\n',
      extraFiles: [
        { path: ".term-run-heredocs/2/EOF", text: "#!/bin/x\n", mode: 0o755 },
        { path: ".term-run-heredocs/5/A", text: "$a\n", mode: 0o644 },
        { path: ".term-run-heredocs/5/C", text: "c\n", mode: 0o644 },
      ],
    });
  });

  it("leaves variables to builders that know them", () => {
    expect(translate("FROM a\nCOPY <<EOF /x\n$y\nEOF\n")).toBeNull();
  });
});

describe("explainFeature", () => {
  const text = "# syntax=docker/dockerfile:1\nFROM a\nCOPY --link a b\nCOPY --link c d\n";

  it.each([
    ["dockerfile parse error line 4: Unknown flag: link", 4],
    ["dockerfile parse error on line 3: unknown flag: --link", 3],
  ])("finds the line of %s", (message, line) => {
    expect(explainFeature(message, text, "buildkit")).toEqual({
      why: `line ${line} of the Dockerfile uses COPY --link, which the engine's own BuildKit doesn't have`,
      hint: "Use Docker 23.0 or later, with BuildKit, let the engine reach the registry of docker/dockerfile:1, or write it without COPY --link.",
    });
  });

  it.each([
    ["dockerfile parse error line 2: unknown instruction: FORM"],
    ["dockerfile parse error line 3: Unknown flag: lnik"],
    ["the command failed: unknown --link"],
  ])("doesn't blame a feature for %s", (message) => {
    expect(explainFeature(message, text, "buildkit")).toBeNull();
  });
});
