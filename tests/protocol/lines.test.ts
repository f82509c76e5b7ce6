import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { readLines } from "../../src/protocol/lines.js";
import { MAX_LINE_BYTES } from "../../src/protocol/reader.js";

const CHUNK = 64 * 1024;

/** What was reported, in order: lines (long ones cut), `<overflow>`, `<end>`. */
async function collect(chunks: Iterable<Buffer | string>): Promise<string[]> {
  const stream = new PassThrough();
  const seen: string[] = [];
  const over = new Promise<void>((resolve) => {
    readLines(stream, {
      line: (line) => seen.push(line.length > 200 ? `<${line.length} characters>` : line),
      overflow: () => seen.push("<overflow>"),
      end: () => {
        seen.push("<end>");
        resolve();
      },
    });
  });
  for (const chunk of chunks) {
    stream.write(chunk);
    await new Promise((resolve) => setImmediate(resolve));
  }
  stream.end();
  await over;
  return seen;
}

function* longLine(bytes: number): Generator<string> {
  for (let left = bytes; left > 0; left -= CHUNK) yield "x".repeat(Math.min(left, CHUNK));
}

describe("readLines", () => {
  it("reads lines across chunks, with either line ending, and the last without one", async () => {
    expect(await collect(["one\ntw", "o\r\nthr", "ee"])).toEqual(["one", "two", "three", "<end>"]);
  });

  it("puts a 4-byte character together wherever it is cut", async () => {
    const bytes = Buffer.from('{"text":"\u{1F600}é"}\n');
    for (let at = 1; at < bytes.length; at++)
      expect(await collect([bytes.subarray(0, at), bytes.subarray(at)])).toEqual([
        '{"text":"\u{1F600}é"}',
        "<end>",
      ]);
    const single = [...bytes].map((byte) => Buffer.from([byte]));
    expect(await collect(single)).toEqual(['{"text":"\u{1F600}é"}', "<end>"]);
  });

  it("survives bytes that are not UTF-8", async () => {
    const bytes = Buffer.from([0x61, 0xff, 0xf0, 0x9f, 0x0a, 0x62, 0x0a]);
    const [first, second] = await collect([bytes]);
    expect(first).toMatch(/^a\uFFFD+$/);
    expect(second).toBe("b");
  });

  it("reads a line just below the limit whole", async () => {
    const size = MAX_LINE_BYTES - 1;
    expect(await collect([...longLine(size), "\n"])).toEqual([`<${size} characters>`, "<end>"]);
  });

  it("names a line over the limit once, skips it, and reads the next", async () => {
    const chunks = ["before\n", ...longLine(MAX_LINE_BYTES + 20 * CHUNK), "\nafter\n"];
    expect(await collect(chunks)).toEqual(["before", "<overflow>", "after", "<end>"]);
  });

  it("names each of two long lines", async () => {
    const long = [...longLine(MAX_LINE_BYTES + 2 * CHUNK)];
    expect(await collect([...long, "\nbetween\n", ...long, "\nafter\n"])).toEqual([
      "<overflow>",
      "between",
      "<overflow>",
      "after",
      "<end>",
    ]);
  });

  it("keeps many lines of one chunk in order", async () => {
    const lines = Array.from({ length: 500 }, (_, at) => `line ${at}`);
    expect(await collect([`${lines.join("\n")}\n`])).toEqual([...lines, "<end>"]);
  });

  it("names two long lines that follow each other", async () => {
    const long = [...longLine(MAX_LINE_BYTES + CHUNK)];
    expect(await collect([...long, "\n", ...long, "\nafter\n"])).toEqual([
      "<overflow>",
      "<overflow>",
      "after",
      "<end>",
    ]);
  });
});
