import { readFileSync } from "node:fs";
import { XmlDocument, type XmlElement, XsdValidator } from "libxml2-wasm";
import { expect, onTestFinished, test } from "vitest";
import { readRun } from "../../src/events/run-folder.js";
import { createJunit } from "../../src/report/documents/junit.js";
import { makeFolder, type StoredTrial, writeRun } from "../support/stored-run.js";
import { render } from "./documents.js";

const schemaText = readFileSync(new URL("junit.xsd", import.meta.url), "utf8");

/** Parses with a strict parser and validates the document against the schema. */
async function report(trials: StoredTrial[]): Promise<XmlDocument> {
  const text = await render(await readRun(writeRun(makeFolder(), trials)), createJunit());
  const document = XmlDocument.fromString(text);
  const schema = XmlDocument.fromString(schemaText);
  const validator = XsdValidator.fromDoc(schema);
  onTestFinished(() => {
    validator.dispose();
    schema.dispose();
    document.dispose();
  });
  validator.validate(document);
  return document;
}

function find(document: XmlDocument, path: string): XmlElement[] {
  return document.find(path) as XmlElement[];
}

function attribute(element: XmlElement | undefined, name: string): string | undefined {
  return element?.attr(name)?.value;
}

const infra = { code: "infra", message: "no space left", hint: "Free some." };

test("a suite for each task, a case for each trial, and counts that are right", async () => {
  const document = await report([
    { task: "a", attempt: 1 },
    { task: "a", attempt: 2, outcome: "failed" },
    { task: "b", outcome: "infra_error", error: infra },
    { task: "c", outcome: "skipped", error: { code: "skipped", message: "no image", hint: null } },
    { task: "d", outcome: "cancelled" },
    { task: "e", unfinished: true },
    { task: "f", outcome: "agent_timeout", error: { ...infra, message: "too slow" } },
  ]);
  const counts = ["tests", "failures", "errors", "skipped"].map((name) =>
    Number(attribute(document.root, name)),
  );
  expect(counts).toEqual([7, 2, 1, 3]);
  expect(find(document, "//testsuite").map((suite) => attribute(suite, "name"))).toEqual([
    "a",
    "b",
    "c",
    "d",
    "e",
    "f",
  ]);
  expect(find(document, "//testsuite[@name='a']/testcase")).toHaveLength(2);
  expect(find(document, "//testcase[@name='a.1']/failure")).toHaveLength(0);
  expect(attribute(find(document, "//testcase[@name='b.1']/error")[0], "message")).toBe(
    "no space left",
  );
  expect(attribute(find(document, "//testcase[@name='c.1']/skipped")[0], "message")).toBe(
    "no image",
  );
  expect(find(document, "//testcase[@name='e.1']/skipped")).toHaveLength(1);
  expect(attribute(find(document, "//testcase[@name='f.1']/failure")[0], "type")).toBe(
    "agent_timeout",
  );
});

test("a failure holds the verifier's last lines, the case its transcript", async () => {
  const lines = Array.from({ length: 100 }, (_, line) => `line ${line}`);
  const document = await report([
    {
      task: "a",
      outcome: "failed",
      steps: [{ text: "let me see", command: "cat x", output: "no x", exit_code: 1 }],
      verifier: lines.join("\n"),
    },
  ]);
  const failure = find(document, "//failure")[0];
  expect(attribute(failure, "message")).toBe("reward 0");
  expect(failure?.content).toContain("line 99");
  expect(failure?.content).not.toContain("line 50\n");
  expect(find(document, "//system-out")[0]?.content).toContain(
    "let me see\n$ cat x\nno x\n[exit 1, 0.3s]",
  );
});

test("each part of a task has its instruction and its verdict", async () => {
  const document = await report([
    {
      task: "a",
      outcome: "failed",
      parts: [
        { name: "build", instruction: "Build it.", steps: [{ command: "make" }], verifier: "ok 1" },
        { name: "serve", instruction: "Serve it.", steps: [{ command: "run" }], verifier: "bad 2" },
      ],
    },
  ]);
  expect(find(document, "//system-out")[0]?.content.replaceAll(/\d\.\ds/g, "T")).toBe(
    [
      "=== part 1 of 2: build",
      "instruction:",
      "  Build it.",
      "--- step 1 (T)",
      "$ make",
      "[exit 0, T]",
      "verifier (exit 0, T)",
      "ok 1",
      "=== part 2 of 2: serve",
      "instruction:",
      "  Serve it.",
      "--- step 1 (T)",
      "$ run",
      "[exit 0, T]",
      "verifier (exit 1, T)",
      "bad 2",
    ].join("\n"),
  );
  const failure = find(document, "//failure")[0]?.content;
  expect(failure).toBe("part 2 of 2: serve\nthe verifier's last lines:\nbad 2");
});

test("hostile output stays text, and is valid XML", async () => {
  const hostile = "\u0000\u0008\u001b[31m]]> <b>&amp; \ud800 \ufffe \u202e </system-out>\r\nend";
  const document = await report([
    {
      task: 'a"<&>',
      outcome: "failed",
      steps: [{ text: hostile, command: hostile, output: hostile, stderr: [hostile] }],
      verifier: hostile,
    },
  ]);
  expect(attribute(find(document, "//testcase")[0], "classname")).toBe('a"<&>');
  expect(find(document, "//b")).toHaveLength(0);
  expect(find(document, "//failure")[0]?.content).toContain("]]> <b>&amp;");
});

test("many long transcripts stay below what parsers accept", async () => {
  const steps = [{ command: "x", output: "o".repeat(4000) }];
  const trials = Array.from({ length: 50 }, (_, place) => ({
    task: `t${place}`,
    steps: Array.from({ length: 100 }, () => steps[0] as object),
  }));
  const document = await report(trials);
  const lengths = find(document, "//system-out").map(({ content }) => content.length);
  expect(lengths).toHaveLength(50);
  expect(Math.max(...lengths)).toBeLessThan(64_000 + 100);
});

test("a run without trials is still a document", async () => {
  const document = await report([]);
  expect(attribute(document.root, "tests")).toBe("0");
});
