import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = new URL("../..", import.meta.url).pathname;
const project = mkdtempSync(join(tmpdir(), "term-sdk-alone-"));
const installed = join(project, "node_modules/term-sdk");

/** The built SDK in a project that has no other package. */
beforeAll(() => {
  mkdirSync(installed, { recursive: true });
  cpSync(join(root, "package.json"), join(installed, "package.json"));
  const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", root, "--outDir", join(installed, "dist")]);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

function run(code: string): string {
  const args = ["--input-type=module", "--eval", code];
  return execFileSync(process.execPath, args, { cwd: project, encoding: "utf8" });
}

test("without any provider's package the SDK imports and runs", () => {
  const input = '{"instruction":"Say hello","step":1,"cwd":"/app"}\n';
  const code = `
    import { Response, run } from "term-sdk";
    import { UsageTotals } from "term-sdk/llm";
    run(() => Response.done(String(new UsageTotals().invocations)));`;
  const args = ["--input-type=module", "--eval", code];
  const output = execFileSync(process.execPath, args, { cwd: project, input, encoding: "utf8" });
  expect(JSON.parse(output)).toMatchObject({ task_complete: true, text: "0" });
});

test.each([
  ["claude", "@anthropic-ai/sdk"],
  ["openaiCompatible", "openai"],
])("%s: a missing package is reported with the command to install it", (make, name) => {
  const output = run(`
    import { ${make} } from "term-sdk/llm";
    const model = ${make}({ apiKey: "key", model: "m" });
    await model.run({ messages: [] }).catch((error) => console.log(error.kind, error.message));`);
  expect(output).toBe(`invalid the package ${name} is not installed: npm install ${name}\n`);
});

test("an agent without its provider's package gives up with the command to install it", () => {
  const code = `
    import { run } from "term-sdk";
    import { llmAgent } from "term-sdk/harness";
    import { claude } from "term-sdk/llm";
    run(llmAgent({ model: claude({ apiKey: "key" }) }));`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", code],
    { cwd: project, encoding: "utf8", input: '{"instruction":"Say hello","step":1}\n' },
  );
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toContain(
    "gave up: the model failed: the package @anthropic-ai/sdk is not installed",
  );
});
