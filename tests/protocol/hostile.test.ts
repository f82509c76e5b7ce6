import { describe, expect, it } from "vitest";
import { ResponseReader } from "../../src/protocol/reader.js";
import { checkResponse } from "../../src/protocol/validate.js";

describe("a hostile answer", () => {
  const nested = (depth: number) => `{"data": ${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`;

  it.each([101, 20_000, 1_000_000])("nested %i deep is invalid, and says why", (depth) => {
    const [message] = new ResponseReader().feed(nested(depth));
    expect(message?.kind).toBe("object");
    const checked = checkResponse(message?.kind === "object" ? message.value : null);
    const problem = "the response is nested more than 100 levels deep";
    expect(checked).toEqual({ ok: false, problem });
  });

  it("nested as deep as an honest one may be is valid", () => {
    expect(checkResponse(JSON.parse(nested(99))).ok).toBe(true);
  });

  it("of very many objects in one line is malformed", () => {
    const messages = new ResponseReader().feed("{}".repeat(500_000));
    expect(messages).toHaveLength(1001);
    expect(messages.at(-1)).toMatchObject({
      kind: "malformed",
      problem: "there are more than 1000 JSON objects in one line",
    });
  });
});
