import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStory } from "../../src/events/read-story.js";
import { readRun } from "../../src/events/run-folder.js";
import type { DocumentWriter } from "../../src/report/documents/document.js";
import { createFileWriter } from "../../src/report/documents/file.js";
import { createDocumentWriter } from "../../src/report/documents/kinds.js";
import { writeDocuments } from "../../src/report/documents/write.js";
import { makeFolder, writeRun } from "../support/stored-run.js";

const trials = [
  { task: "b", attempt: 1 },
  { task: "a", attempt: 1 },
  { task: "b", attempt: 2 },
  { task: "a", attempt: 2 },
];

function createRecorder(fail: Partial<Record<keyof DocumentWriter, true>> = {}) {
  const calls: string[] = [];
  const note = async (call: keyof DocumentWriter, detail = "") => {
    calls.push(`${call}${detail}`);
    if (fail[call]) throw new Error(`${call} failed`);
  };
  const writer: DocumentWriter = {
    begin: () => note("begin"),
    trial: ({ planned }) => note("trial", ` ${planned.trial}`),
    end: () => note("end"),
    abort: () => note("abort"),
  };
  return { calls, writer };
}

test("trials come by task, then by attempt, one story at a time", async () => {
  const run = await readRun(writeRun(makeFolder(), trials));
  const { calls, writer } = createRecorder();
  let busy = 0;
  const slow: DocumentWriter = {
    ...createRecorder().writer,
    async trial() {
      busy += 1;
      await new Promise((resolve) => setImmediate(resolve));
      busy -= 1;
    },
  };
  await writeDocuments(run, [writer, slow], {
    onFailure: (error) => expect.unreachable(String(error)),
    readStory(dir, trial) {
      expect(busy).toBe(0);
      return readStory(dir, trial);
    },
  });
  expect(calls).toEqual(["begin", "trial b.1", "trial b.2", "trial a.1", "trial a.2", "end"]);
});

test.each(["begin", "trial", "end"] as const)(
  "a failure in %s affects only its own writer",
  async (at) => {
    const run = await readRun(writeRun(makeFolder(), trials));
    const [bad, good] = [createRecorder({ [at]: true, abort: true }), createRecorder()];
    const failures: unknown[] = [];
    await writeDocuments(run, [bad.writer, good.writer], {
      onFailure: (error, writer) => failures.push([error, writer]),
    });
    expect(failures).toEqual([[new Error(`${at} failed`), bad.writer]]);
    expect(bad.calls.at(-1)).toBe("abort");
    expect(bad.calls.filter((call) => call.startsWith(at))).toHaveLength(1);
    expect(good.calls.at(-1)).toBe("end");
    expect(good.calls).toHaveLength(6);
  },
);

test("a run that can't be read fails every writer, and no partial file stays", async () => {
  const dir = writeRun(makeFolder(), trials);
  const out = join(dir, "out");
  const failures: unknown[] = [];
  const writers = ["html", "junit", "markdown"].map((name) =>
    createDocumentWriter(name, join(out, name), () => expect.unreachable()),
  );
  await writeDocuments(await readRun(dir), writers, {
    onFailure: (error) => failures.push(error),
    async readStory(runDir, trial) {
      if (trial === "a.1") throw new Error("disk error");
      return readStory(runDir, trial);
    },
  });
  expect(failures).toEqual(Array(3).fill(new Error("disk error")));
  expect(readdirSync(out)).toEqual([]);
});

test("a file appears when it is complete, and replaces the old one", async () => {
  const dir = writeRun(makeFolder(), trials);
  const path = join(dir, "deep/er/out.txt");
  const seen: string[][] = [];
  const look = () => seen.push(readdirSync(join(dir, "deep/er")));
  const document = {
    begin: () => "begin\n",
    trial() {
      look();
      return "trial\n";
    },
    end: () => "end\n",
  };
  const written: string[] = [];
  const write = async () =>
    writeDocuments(
      await readRun(dir),
      [
        createFileWriter(
          document,
          () => path,
          (file) => written.push(file),
        ),
      ],
      { onFailure: (error) => expect.unreachable(String(error)) },
    );
  await write();
  expect(seen).toEqual(Array(4).fill([expect.stringMatching(/^out\.txt\.\d+\.tmp$/)]));
  look();
  expect(seen.at(-1)).toEqual(["out.txt"]);
  await write();
  expect(readFileSync(path, "utf8")).toBe("begin\ntrial\ntrial\ntrial\ntrial\nend\n");
  expect(written).toEqual([path, path]);
});

test("a name that is taken by a folder is a failure that leaves nothing behind", async () => {
  const dir = writeRun(makeFolder(), trials);
  const out = join(dir, "out");
  mkdirSync(join(out, "taken"), { recursive: true });
  const failures: unknown[] = [];
  const writer = createDocumentWriter("junit", join(out, "taken"), () => expect.unreachable());
  await writeDocuments(await readRun(dir), [writer], {
    onFailure: (error) => failures.push(error),
  });
  expect(failures).toEqual([expect.objectContaining({ code: "EISDIR" })]);
  expect(readdirSync(out)).toEqual(["taken"]);
});
