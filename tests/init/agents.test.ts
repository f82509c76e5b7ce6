import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { check } from "../check-agent/check.js";
import { QUICK } from "../e2e/cli.js";
import { lacks } from "../support/tools.js";
import { makeFolder } from "./place.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MAIN = join(ROOT, "dist/cli/main.js");
const HELLO = join(ROOT, "tasks/hello-world");
const BUILD_SEC = 300;

interface Made {
  lang: string;
  test: string[];
  /** What the author's `npm install` or a published crate would do. */
  prepare?: (dir: string) => void;
  needs?: string;
}

const AGENTS: Made[] = [
  { lang: "python", test: ["python3", "-m", "unittest"] },
  { lang: "js", test: ["node", "--test"] },
  { lang: "bash", test: ["bash", "test.sh"] },
  { lang: "ts", test: ["npm", "test"], prepare: linkPackages },
  {
    lang: "rust",
    test: ["cargo", "test", "--quiet", "--release"],
    prepare: useLocalCrate,
    needs: "cargo",
  },
];

function linkPackages(dir: string): void {
  mkdirSync(join(dir, "node_modules/@types"), { recursive: true });
  for (const name of ["term-sdk", "tsx", "typescript", "@types/node"])
    symlinkSync(join(ROOT, "node_modules", name), join(dir, "node_modules", name));
}

/** As the comment in Cargo.toml says. */
function useLocalCrate(dir: string): void {
  const file = join(dir, "Cargo.toml");
  const text = readFileSync(file, "utf8");
  const local = /^# For a local copy: (.*)$/m.exec(text)?.[1] ?? "";
  const line = local.replace("path/to/term-run/", ROOT);
  writeFileSync(file, text.replace(/^term-sdk = .*$/m, line));
}

function termRun(cwd: string, ...args: string[]) {
  return execa(process.execPath, [MAIN, ...args], { cwd, reject: false });
}

for (const { lang, test, prepare, needs } of AGENTS)
  describe.skipIf(needs && lacks(needs))(`term-run init agent --lang ${lang}`, () => {
    const timeout = 2 * BUILD_SEC * 1000;
    let parent = "";
    let dir = "";
    afterAll(() => rmSync(parent, { recursive: true, force: true }));

    beforeAll(async () => {
      parent = mkdtempSync(join(tmpdir(), "init-"));
      dir = join(parent, "my-agent");
      const made = await termRun(parent, "init", "agent", "my-agent", "--lang", lang);
      expect(made).toMatchObject({ exitCode: 0, stderr: "" });
      expect(made.stdout).toContain("term-run check-agent .");
      prepare?.(dir);
    });

    it("creates an agent that passes its tests", { timeout }, async () => {
      const [program = "", ...args] = test;
      const tested = await execa(program, args, { cwd: dir, reject: false, all: true });
      expect(tested.exitCode, tested.all).toBe(0);
    });

    it("and check-agent", { timeout }, async () => {
      const report = await check(dir, { timeoutSec: BUILD_SEC });
      expect(report.points).not.toEqual([]);
      expect(report.points.filter(({ status }) => status !== "passed")).toEqual([]);
    });

    it.skipIf(!QUICK)("and hello-world", { timeout }, async () => {
      const run = await termRun(parent, HELLO, "--agent", "./my-agent", "--sandbox", QUICK);
      expect(run.stdout).toContain("✓ passed  hello-world.1");
    });
  });

it("the TypeScript one passes its own type check", async () => {
  const parent = makeFolder();
  await termRun(parent, "init", "agent", "typed", "--lang", "ts");
  const dir = join(parent, "typed");
  linkPackages(dir);
  const { exitCode, stdout } = await execa("node", ["node_modules/typescript/bin/tsc"], {
    cwd: dir,
    reject: false,
  });
  expect(stdout).toBe("");
  expect(exitCode).toBe(0);
});

describe("the command", () => {
  it("uses Python by default, and the folder of --out", async () => {
    const parent = makeFolder();
    await termRun(parent, "init", "agent", "snake", "--out", "agents");
    expect(readFileSync(join(parent, "agents/snake/agent.py"), "utf8")).toContain("snake");
  });

  it.each([
    { args: ["agent", "Bad Name"], says: "can't be used as a name" },
    { args: ["agent", "a", "--lang", "cobol"], says: "Allowed choices are python" },
    { args: ["agent"], says: "missing required argument 'name'" },
    { args: [], says: "agent" },
  ])("exits with 2 for $args", async ({ args, says }) => {
    const { exitCode, stderr } = await termRun(makeFolder(), "init", ...args);
    expect(stderr).toContain(says);
    expect(exitCode).toBe(2);
  });
});
