import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { execa } from "execa";
import { expect, test } from "vitest";
import { readRun } from "../../src/events/run-folder.js";
import { exportRun } from "../../src/export/write.js";
import { makeFolder, type StoredTrial, writeRun } from "../support/stored-run.js";

/** What the cast itself adds. */
const COLORS = ["\u001b[1;32m", "\u001b[2m", "\u001b[31m", "\u001b[0m", "\r\n"];
const player = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "asciinema"))
  .find((path) => existsSync(path));

async function record(trial: StoredTrial): Promise<string> {
  const run = await readRun(writeRun(makeFolder(), [{ instruction: "Do\nit.", ...trial }]));
  const [file] = await exportRun(run, "asciinema", join(run.dir, "casts"));
  return file as string;
}

interface Cast {
  header: Record<string, unknown>;
  events: [number, string, string][];
}

function read(file: string): Cast {
  const [header, ...events] = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { header, events };
}

const steps = [
  { text: "a look", command: "cat <<E\nx\nE", output: "\u001b[31mred\u001b[0m\nend" },
  { command: "false", exit_code: 1, complete: true },
];

test("the header and the events are those of a version 2 cast", async () => {
  const { header, events } = read(await record({ task: "a", steps, verifier: "1 passed" }));
  expect(header).toMatchObject({ version: 2, width: 120, height: 36, title: "a.1 (my-agent)" });
  expect(Number.isInteger(header.timestamp)).toBe(true);
  let last = 0;
  for (const [time, code] of events) {
    expect(time).toBeGreaterThanOrEqual(last);
    expect(["o", "m"]).toContain(code);
    last = time;
  }
  expect(header.duration).toBe(last);
  expect(events.filter(([, code]) => code === "m").map(([, , label]) => label)).toEqual([
    "step 1",
    "step 2",
    "verifier",
  ]);
});

test("the screen shows the command, its output in colour, and how it ended", async () => {
  const { events } = read(await record({ task: "a", steps, verifier: "1 passed" }));
  const screen = events.flatMap(([, code, data]) => (code === "o" ? [data] : [])).join("");
  expect(stripVTControlCharacters(screen)).toBe(
    [
      "# Do",
      "# it.",
      "# a look",
      "/app $ cat <<E",
      "x",
      "E",
      "red",
      "end",
      "/app $ false",
      "[exit 1]",
      "--- verifier",
      "1 passed",
      "--- passed",
      "",
    ].join("\r\n"),
  );
  expect(screen).toContain("\u001b[31mred\u001b[0m");
});

test("each part has a marker and its instruction", async () => {
  const { events } = read(
    await record({
      task: "a",
      parts: [
        { name: "one", instruction: "First.", steps: [{ command: "ls" }] },
        { name: "two", instruction: "Second.", steps: [{ command: "rm x", refused: "not here" }] },
      ],
    }),
  );
  const shown = (wanted: string) =>
    events.flatMap(([, code, data]) => (code === wanted ? [data] : []));
  expect(shown("m")).toEqual([
    "part 1 of 2: one",
    "step 1",
    "verifier",
    "part 2 of 2: two",
    "step 1",
    "verifier",
  ]);
  expect(stripVTControlCharacters(shown("o").join(""))).toBe(
    [
      "--- part 1 of 2: one",
      "# First.",
      "/app $ ls",
      "--- verifier",
      "--- part 2 of 2: two",
      "# Second.",
      "/app $ rm x",
      "[refused: not here]",
      "--- verifier",
      "--- passed",
      "",
    ].join("\r\n"),
  );
});

test("nothing is left in it that a terminal would respond to or act on", async () => {
  const hostile =
    "\u001b]0;title\u0007\u001b]52;c;eA==\u001b\\\u001bP+q\u001b\\\u001b[6n\u001b[c\u001b[?1049h\u001bc\u009b6n\ud800ok\u0007";
  const file = await record({
    task: "a",
    steps: [{ text: hostile, command: hostile, output: hostile }],
  });
  const { events } = read(file);
  const output = events.find(([, , data]) => data.startsWith("6n"))?.[2];
  expect(output).toBe("6n\ufffdok\r\n\u001b[0m");
  const all = events.map(([, , data]) => data).join("");
  expect(COLORS.reduce((rest, color) => rest.replaceAll(color, ""), all)).not.toMatch(/\p{Cc}/u);
});

test.skipIf(!player)("asciinema plays it", async () => {
  const file = await record({ task: "a", steps, verifier: "1 passed" });
  // It needs a terminal, which `script` provides.
  const { stdout } = await execa("script", ["-qec", `asciinema play -s 100 ${file}`, "/dev/null"], {
    stdin: "ignore",
    env: { TERM: "xterm-256color" },
  });
  expect(stdout).toContain("/app $");
  expect(stdout).toContain("--- passed");
});
