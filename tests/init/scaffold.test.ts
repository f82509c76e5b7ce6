import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scaffold } from "../../src/init/scaffold.js";
import { makeFolder } from "./place.js";

const LANGUAGES = ["python", "js", "bash", "ts", "rust"];

describe("the folder", () => {
  it.each(LANGUAGES)(
    "%s: has a readme, a workflow, and the name in place of the placeholder",
    async (lang) => {
      const { dir, files } = await scaffold({
        template: `agent-${lang}`,
        name: "my-agent",
        parent: makeFolder(),
      });
      expect(files).toEqual(
        expect.arrayContaining([".github/workflows/score.yml", ".gitignore", "README.md"]),
      );
      expect(readFileSync(join(dir, "README.md"), "utf8")).toMatch(/^# my-agent\n/);
      for (const file of files) {
        const text = readFileSync(join(dir, file), "utf8");
        expect(text, file).not.toContain("__NAME__");
        const mode = statSync(join(dir, file)).mode & 0o111;
        expect(mode !== 0, file).toBe(text.startsWith("#!"));
      }
    },
  );

  it("may already exist if it is empty", async () => {
    const parent = makeFolder();
    mkdirSync(join(parent, "mine"));
    const { dir } = await scaffold({ template: "agent-bash", name: "mine", parent });
    expect(dir).toBe(join(parent, "mine"));
  });
});

describe("refuses", () => {
  it("a folder that isn't empty, and leaves it alone", async () => {
    const parent = makeFolder();
    const file = join(parent, "mine", "agent.py");
    mkdirSync(join(parent, "mine"));
    writeFileSync(file, "precious");
    await expect(scaffold({ template: "agent-python", name: "mine", parent })).rejects.toThrow(
      "mine is not empty",
    );
    expect(readFileSync(file, "utf8")).toBe("precious");
  });

  it("a path where no folder can be created", async () => {
    const parent = makeFolder();
    writeFileSync(join(parent, "mine"), "a file");
    await expect(scaffold({ template: "agent-js", name: "mine", parent })).rejects.toThrow(
      "can't be created",
    );
  });

  it.each(["", "..", "a/b", "My Agent", "Agent", "-x", "1st"])("the name %j", async (name) => {
    const parent = makeFolder();
    await expect(scaffold({ template: "agent-js", name, parent })).rejects.toThrow(
      "can't be used as a name",
    );
  });
});
