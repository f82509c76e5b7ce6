import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = new URL("..", import.meta.url).pathname;
const project = mkdtempSync(join(tmpdir(), "term-sdk-package-"));
const npm = (...args: string[]) =>
  execFileSync("npm", args, { cwd: project, encoding: "utf8", stdio: "pipe" });

beforeAll(() => {
  npm("pack", root, "--pack-destination", project);
  const tarball = readdirSync(project).find((name) => name.endsWith(".tgz")) ?? "";
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
  npm("install", "--offline", "--no-audit", "--no-fund", `./${tarball}`);
}, 300_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

test("the installed package runs the README's quick start", () => {
  writeFileSync(join(project, "agent.mjs"), readmeExample(0));
  const lines = (input: string) =>
    execFileSync(process.execPath, ["agent.mjs"], { cwd: project, input, encoding: "utf8" });
  expect(lines('{"instruction":"Say hello","step":1,"cwd":"/app"}\n')).toBe(
    `{"command":"echo 'Hello, world!' > hello.txt","task_complete":false}\n`,
  );
  expect(lines('{"instruction":"Say hello","step":2,"exit_code":0}\n')).toBe(
    '{"command":null,"task_complete":true,"text":"hello.txt is written"}\n',
  );
});

test("the README's script and test examples work", () => {
  const quickStart = readmeExample(0)
    .replace("run(", "const agent = (")
    .replace(/^import.*$/m, "");
  writeFileSync(
    join(project, "test.mjs"),
    `import { Response } from "term-sdk";\n${quickStart}\n${readmeExample(3)}\n${readmeExample(2)}`,
  );
  execFileSync(process.execPath, ["test.mjs"], { cwd: project });
  writeFileSync(join(project, "script.mjs"), readmeExample(1));
  const input = [
    '{"instruction":"t","step":1}',
    '{"instruction":"t","step":2,"output":"Makefile"}',
  ];
  const args = ["script.mjs"];
  expect(
    execFileSync(process.execPath, args, { cwd: project, input: input.join("\n") }).toString(),
  ).toBe(
    '{"command":"ls","task_complete":false}\n{"command":"make","task_complete":false,"text":"Building"}\n',
  );
});

function readmeExample(index: number): string {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const example = [...readme.matchAll(/```js\n([\s\S]*?)```/g)][index]?.[1];
  if (!example) throw new Error(`the README has no example ${index + 1}`);
  return example;
}
