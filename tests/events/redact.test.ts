import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Redactor } from "../../src/events/redact.js";
import { redactFolder } from "../../src/events/redact-files.js";

/** `TERM_RUN_FUZZ=100000` is the long form. */
const RUNS = { numRuns: Number(process.env.TERM_RUN_FUZZ ?? 300) };
const TIMEOUT_MS = 300_000;

/** As Python's json.dumps writes it, in lower or upper case. */
function toAscii(json: string, inUpperCase: boolean): string {
  return json.replace(/[^ -~]/g, (unit) => {
    const code = unit.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${inUpperCase ? code.toUpperCase() : code}`;
  });
}

const inner = (value: string) => JSON.stringify(value).slice(1, -1);
const lowerCase = (url: string) => url.replace(/%../g, (byte) => byte.toLowerCase());
/** As other languages do: everything but letters and digits. */
const strictUrl = (value: string) =>
  encodeURIComponent(value).replace(
    /[!'()*~._-]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const ENCODINGS: Record<string, (secret: string) => string> = {
  raw: (secret) => secret,
  json: inner,
  "json in json": (secret) => inner(inner(secret)),
  "ascii json": (secret) => toAscii(inner(secret), false),
  "ascii json, upper case": (secret) => toAscii(inner(secret), true),
  "ascii json in json": (secret) => inner(toAscii(inner(secret), false)),
  "json with escaped slashes": (secret) => inner(secret).replaceAll("/", "\\/"),
  url: encodeURIComponent,
  "url, lower case": (secret) => lowerCase(encodeURIComponent(secret)),
  "url, strict": strictUrl,
  form: (secret) => new URLSearchParams([["", secret]]).toString().slice(1),
};

const secret = fc.string({ unit: "grapheme", minLength: 6, maxLength: 30 }).filter((text) => {
  return text.isWellFormed() && text.trim().length >= 6;
});
const encoding = fc.constantFrom(...Object.keys(ENCODINGS));
/** Of characters that no encoding of a secret ends or begins with. */
const filler = fc.string({ unit: fc.constantFrom("€", "ß"), maxLength: 30 });

describe("a redactor", () => {
  it(
    "finds a secret in every encoding",
    () => {
      fc.assert(
        fc.property(secret, encoding, filler, filler, (value, name, before, after) => {
          const encoded = ENCODINGS[name]?.(value) ?? "";
          fc.pre(!`${before}${after}`.includes(value));
          const found = new Redactor([value]).text(`${before}|${encoded}|${after}`);
          expect(found).toBe(`${before}|[redacted]|${after}`);
        }),
        RUNS,
      );
    },
    TIMEOUT_MS,
  );

  it(
    "finds it in bytes, wherever these are cut",
    () => {
      const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 12 });
      fc.assert(
        fc.property(secret, encoding, filler, filler, cuts, (value, name, before, after, at) => {
          const encoded = ENCODINGS[name]?.(value) ?? "";
          const bytes = Buffer.from(`${before}|${encoded}|${after}`);
          const redacted = inPieces(new Redactor([value]), bytes, at);
          expect(redacted.toString()).toBe(`${before}|[redacted]|${after}`);
        }),
        RUNS,
      );
    },
    TIMEOUT_MS,
  );

  it(
    "leaves nothing of a secret in base64, wherever it begins and lines are wrapped",
    () => {
      const shape = fc.record({
        before: fc.uint8Array({ maxLength: 100 }),
        after: fc.uint8Array({ maxLength: 100 }),
        isUrl: fc.boolean(),
        width: fc.constantFrom(0, 64, 76),
        cuts: fc.array(fc.nat({ max: 400 }), { maxLength: 5 }),
      });
      fc.assert(
        fc.property(secret, shape, (value, { before, after, isUrl, width, cuts }) => {
          const bytes = Buffer.concat([before, Buffer.from(value), after]);
          const whole = bytes.toString(isUrl ? "base64url" : "base64");
          const text = width === 0 ? whole : whole.replace(new RegExp(`.{${width}}`, "g"), "$&\n");
          const redactor = new Redactor([value]);
          const redacted = redactor.text(text);
          expect(redacted).toContain("[redacted]");
          expect(inPieces(redactor, Buffer.from(text), cuts).toString()).toBe(redacted);
          // At most one character at each side depends on the secret.
          const left = redacted.replace(/\[redacted\]/g, "").replaceAll("\n", "").length;
          const own = Math.ceil((Buffer.byteLength(value) * 8) / 6);
          expect(left).toBeLessThanOrEqual(whole.length - own + 3);
        }),
        RUNS,
      );
    },
    TIMEOUT_MS,
  );

  it("changes nothing where there is no secret, whatever the bytes are and wherever they are cut", () => {
    const cuts = fc.array(fc.nat({ max: 3000 }), { maxLength: 5 });
    const redactor = new Redactor(["sk-proj-0123456789", 'pä ss/w"ord', "0123456789".repeat(200)]);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), cuts, (content, at) => {
        const bytes = Buffer.from(content);
        expect(inPieces(redactor, bytes, at).equals(bytes)).toBe(true);
      }),
      RUNS,
    );
  });

  it("redacts secrets that overlap or contain each other as a whole", () => {
    const redactor = new Redactor(["abcdef", "defghi", "abcdefghijkl"]);
    expect(redactor.text("1 abcdefghi 2 abcdefghijklm 3 abcdef")).toBe(
      "1 [redacted] 2 [redacted]m 3 [redacted]",
    );
    expect(inPieces(redactor, Buffer.from("1 abcdefghi 2"), [5, 6, 8]).toString()).toBe(
      "1 [redacted] 2",
    );
  });

  it("redacts each line of a secret that has several, but not its frame", () => {
    const key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\n";
    const redactor = new Redactor([key]);
    expect(redactor.text("AQEFAASCBKcwggSjAgEAAoIB")).toBe("[redacted]");
    expect(redactor.text("-----BEGIN PRIVATE KEY-----")).toBe("-----BEGIN PRIVATE KEY-----");
  });

  it("doesn't look for secrets of fewer than 4 characters, nor in base64 of fewer than 6 bytes", () => {
    expect(new Redactor(["abc"]).text("abc")).toBe("abc");
    expect(new Redactor(["abcd"]).text(`abcd ${btoa("abcd")}`)).toBe(`[redacted] ${btoa("abcd")}`);
  });

  it("redacts names and contents in a folder; other files stay as they are", async () => {
    const dir = mkdtempSync(join(tmpdir(), "redact-"));
    try {
      const value = "pa ssw/örd";
      const other = Buffer.from([0, 255, 128, 10, 13]);
      mkdirSync(join(dir, `in ${encodeURIComponent(value)}`));
      writeFileSync(join(dir, `in ${encodeURIComponent(value)}`, "a"), `x${value}y`);
      writeFileSync(join(dir, "other"), other);
      await redactFolder(dir, new Redactor([value]));
      expect(readdirSync(dir).sort()).toEqual(["in [redacted]", "other"]);
      expect(readFileSync(join(dir, "in [redacted]/a"), "utf8")).toBe("x[redacted]y");
      expect(readFileSync(join(dir, "other")).equals(other)).toBe(true);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});

function inPieces(redactor: Redactor, bytes: Buffer, cuts: number[]): Buffer {
  const redaction = redactor.openStream();
  const pieces: Buffer[] = [];
  let from = 0;
  for (const cut of [...cuts, bytes.length].sort((a, b) => a - b)) {
    const to = Math.min(cut, bytes.length);
    pieces.push(...redaction.push(bytes.subarray(from, to)));
    from = Math.max(from, to);
  }
  return Buffer.concat([...pieces, ...redaction.end()]);
}
