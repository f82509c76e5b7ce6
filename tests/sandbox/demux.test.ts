import { expect, it } from "vitest";
import { demux } from "../../src/sandbox/docker/demux.js";

function frame(stream: 1 | 2, text: string): Buffer {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

function split(chunks: Buffer[]): { stdout: string; stderr: string } {
  const [stdout, stderr]: Buffer[][] = [[], []];
  const push = demux(
    (bytes) => stdout?.push(bytes),
    (bytes) => stderr?.push(bytes),
  );
  for (const chunk of chunks) push(chunk);
  return {
    stdout: Buffer.concat(stdout ?? []).toString(),
    stderr: Buffer.concat(stderr ?? []).toString(),
  };
}

it("splits a stream, wherever its chunks are cut", () => {
  const stream = Buffer.concat([frame(1, "one "), frame(2, "bad"), frame(1, ""), frame(1, "two")]);
  for (let size = 1; size <= stream.length; size++) {
    const chunks = [];
    for (let at = 0; at < stream.length; at += size) chunks.push(stream.subarray(at, at + size));
    expect(split(chunks)).toEqual({ stdout: "one two", stderr: "bad" });
  }
});

it("takes a chunk of many tiny frames", () => {
  const count = 100_000;
  const frames = Buffer.concat(Array.from({ length: count }, () => frame(1, "x")));
  expect(split([frames]).stdout.length).toBe(count);
});
