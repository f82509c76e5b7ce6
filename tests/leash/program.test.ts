import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { findLeashProgram } from "../../src/leash/program.js";

const SOURCE = fileURLToPath(new URL("../../src/leash/native/leash.c", import.meta.url));

describe("the committed programs", () => {
  it.each(["x64", "arm64"])("for %s is built from the source as it is", (architecture) => {
    const hash = createHash("sha256").update(readFileSync(SOURCE)).digest("hex");
    const program = readFileSync(findLeashProgram(architecture) as string, "latin1");
    expect(program).toContain(`source-sha256:${hash}`);
  });

  it("has none for other processors", () => {
    expect(findLeashProgram("s390x")).toBeNull();
  });
});
