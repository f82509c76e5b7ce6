import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { type Pack, pack } from "tar-stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Redactor } from "../../src/events/redact.js";
import type { DownloadOptions } from "../../src/interfaces/index.js";
import { DEFAULT_DOWNLOAD_LIMITS } from "../../src/sandbox/download-limits.js";
import { extractInto } from "../../src/sandbox/extract.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "download-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const download = (tar: Pack, options: DownloadOptions = {}) =>
  extractInto(tar as unknown as Readable, dir, options);
const limits = (changes: object) => ({ limits: { ...DEFAULT_DOWNLOAD_LIMITS, ...changes } });

function tarOf(files: Record<string, string>): Pack {
  const tar = pack();
  for (const [name, content] of Object.entries(files)) tar.entry({ name: `logs/${name}` }, content);
  tar.finalize();
  return tar;
}

describe("a download", () => {
  it("leaves out a file that is too large, and keeps what comes after it", async () => {
    const tar = tarOf({ a: "1", big: "x".repeat(5000), z: "2" });
    const { leftOut, leftOutCount } = await download(tar, limits({ fileBytes: 1024 }));
    expect(leftOut).toEqual([{ path: "big", reason: "it is larger than 1 KiB" }]);
    expect(leftOutCount).toBe(1);
    expect(readdirSync(dir).sort()).toEqual(["a", "z"]);
  });

  it("stops where reading on would take too long", async () => {
    const tar = tarOf({ a: "1", big: "x".repeat(9000), z: "2" });
    const { leftOut, problem } = await download(tar, limits({ bytes: 2048 }));
    expect(leftOut[0]?.reason).toContain("what comes after it was not read");
    expect(problem).toBeNull();
    expect(readdirSync(dir)).toEqual(["a"]);
  });

  it("keeps as many entries as it may", async () => {
    const tar = tarOf({ a: "", b: "", c: "", d: "" });
    const { leftOut } = await download(tar, limits({ entries: 2 }));
    expect(leftOut).toEqual([{ path: "c", reason: "there are more than 2 files and folders" }]);
    expect(readdirSync(dir).sort()).toEqual(["a", "b"]);
  });

  it("leaves out what is too deep or has too long a name", async () => {
    const long = "n".repeat(256);
    const tar = tarOf({ "a/b/c/d": "1", "a/b/e": "1", [long]: "1", "ok/f": "1" });
    const { leftOut } = await download(tar, limits({ depth: 2 }));
    expect(leftOut).toEqual([
      { path: "a/b/c/d", reason: "it is more than 2 folders deep" },
      { path: long, reason: "its name is longer than 255 bytes" },
    ]);
    expect(existsSync(join(dir, "a/b/e")) && existsSync(join(dir, "ok/f"))).toBe(true);
  });

  it("leaves out a second file of the same name, and a file below a file", async () => {
    const tar = pack();
    for (const name of ["logs/a", "logs/a", "logs/a/b", "logs/z"]) tar.entry({ name }, "1");
    tar.finalize();
    const { leftOut } = await download(tar);
    expect(leftOut.map(({ path }) => path)).toEqual(["a", "a/b"]);
    expect(readdirSync(dir).sort()).toEqual(["a", "z"]);
  });

  it("names some of what it leaves out, and counts all", async () => {
    const names = Array.from({ length: 50 }, (_, at) => [`big${at}`, "xx"]);
    const { leftOut, leftOutCount } = await download(
      tarOf(Object.fromEntries(names)),
      limits({ fileBytes: 1 }),
    );
    expect([leftOut.length, leftOutCount]).toEqual([20, 50]);
  });

  it("redacts names and contents on the way, and returns what is asked for as it was", async () => {
    const secret = "sk-0123456789";
    const large = `${"x".repeat(1_200_000)}${secret}${"y".repeat(1_200_000)}`;
    const files = { "reward.txt": secret, [`of ${secret}/a`]: large };
    const { contents } = await download(tarOf(files), {
      redactor: new Redactor([secret]),
      peek: ["reward.txt"],
    });
    expect(contents.get("reward.txt")?.toString()).toBe(secret);
    expect(readFileSync(join(dir, "reward.txt"), "utf8")).toBe("[redacted]");
    const kept = readFileSync(join(dir, "of [redacted]/a"), "utf8");
    expect(kept).toBe(large.replace(secret, "[redacted]"));
  });

  it("reports a stream that breaks off, wherever it does, and never throws", async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of tarOf({ a: "1".repeat(3000), b: "2", c: "3".repeat(700) }))
      chunks.push(chunk as Buffer);
    const whole = Buffer.concat(chunks);
    const at = fc.nat({ max: whole.length - 1025 });
    const property = fc.asyncProperty(at, fc.boolean(), async (length, isError) => {
      const tar = Readable.from(
        (async function* () {
          yield whole.subarray(0, length);
          if (isError) throw new Error("the connection was lost");
        })(),
      );
      const target = mkdtempSync(join(dir, "out-"));
      const { problem } = await extractInto(tar, target);
      if (isError) expect(problem).not.toBeNull();
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it("survives arbitrary bytes", async () => {
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (bytes) => {
      await extractInto(Readable.from([Buffer.from(bytes)]), mkdtempSync(join(dir, "out-")));
    });
    await fc.assert(property, { numRuns: 500 });
  });

  it("fails if the host can't write", async () => {
    const tar = tarOf({ a: "1" }) as unknown as Readable;
    await expect(extractInto(tar, "/dev/null/x")).resolves.toMatchObject({ leftOutCount: 1 });
    const denied = extractInto(tarOf({ a: "1" }) as unknown as Readable, "/sys/x");
    await expect(denied).rejects.toThrow(/EPERM|EACCES|EROFS/);
  });
});
