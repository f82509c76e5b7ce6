import { expect, test } from "vitest";
import { readRun } from "../../src/events/run-folder.js";
import { createMarkdown } from "../../src/report/documents/markdown.js";
import { makeFolder, type StoredTrial, writeRun } from "../support/stored-run.js";
import { makeTrials } from "./big-run.js";
import { render } from "./documents.js";

async function report(trials: Iterable<StoredTrial>): Promise<string> {
  return render(await readRun(writeRun(makeFolder(), trials)), createMarkdown());
}

test("totals with their interval, a row for each task, failures folded", async () => {
  const text = await report([
    { task: "a", seconds: 3 },
    {
      task: "b",
      outcome: "failed",
      seconds: 4,
      steps: [{ command: "cat x" }],
      verifier: "1 failed",
    },
  ]);
  expect(text).toContain("## ❌ <code>my-agent</code>: pass rate 50.0 % (1/2), 95 % interval");
  expect(text).toContain("| <code>b</code> | 0/1 | 0 | failed | 1 | 4.0s |");
  expect(text).toContain("| <code>a</code> | 1/1 | 1 | passed | 1 | 3.0s |");
  expect(text.indexOf("<code>b</code>")).toBeLessThan(text.indexOf("<code>a</code>"));
  expect(text).toMatch(
    /<details><summary><code>b\.1<\/code> failed \(1 step, 4\.0s, reward 0\)<\/summary>\n\n```text\nlast command: \$ cat x\nthe verifier's last lines:\n1 failed\n```\n\n<\/details>/,
  );
});

test("nothing but totals and the table when all passed", async () => {
  const text = await report([{ task: "a" }]);
  expect(text).toContain("## ✅");
  expect(text).not.toContain("Not passed");
});

test("the datasets that it is on, and the tasks that were left out", async () => {
  const record = {
    datasets: [{ name: "org/demo", version: "1.0", registry: "https://example.com/registry.json" }],
    unreadable: [{ task: "b", dir: "/b", problem: "/b/task.toml:1: x" }],
  };
  const run = await readRun(writeRun(makeFolder(), [{ task: "a" }], { record }));
  const text = await render({ ...run, summary: null }, createMarkdown());
  expect(text).toContain("Run <code>demo</code> on <code>org/demo@1.0</code>");
  expect(text).toContain("left out as unreadable: 1 task (b)");
});

test("it never exceeds the maximum length of a comment", async () => {
  const text = await report(makeTrials(500, 2, 1));
  expect(text.length).toBeLessThanOrEqual(60_000);
  expect(text.length).toBeGreaterThan(50_000);
  expect(text).toMatch(/… [\d,]+ more trials did not pass\n$/);
});

test("scored failures come first, whatever the order of the tasks", async () => {
  const text = await report([
    { task: "a", outcome: "infra_error" },
    { task: "b", outcome: "failed" },
    { task: "c", outcome: "skipped" },
    { task: "d", outcome: "agent_timeout" },
  ]);
  const [, failures = ""] = text.split("### Not passed");
  const names = failures.match(/(?<=<summary><code>)\w/g);
  expect(names).toEqual(["b", "d", "a", "c"]);
});

test("for a task with parts the failed ones are explained", async () => {
  const text = await report([
    {
      task: "a",
      outcome: "failed",
      parts: [
        { name: "build", verifier: "all good" },
        { name: "serve", steps: [{ command: "run it" }], verifier: "1 failed" },
      ],
    },
  ]);
  expect(text).toContain(
    "last command: $ run it\npart 2 of 2: serve\nthe verifier's last lines:\n1 failed\n",
  );
  expect(text).not.toContain("all good");
});

test("hostile text is neither Markdown nor HTML, and nobody is notified", async () => {
  const text = await report([
    {
      task: "a|b<img src=x>*c*`d` [e](http://f) @someone",
      outcome: "failed",
      error: { code: "x", message: "```\n</details><script>alert(1)</script>\n````", hint: null },
      verifier: "`````\n# not a title",
    },
  ]);
  const [table] = text.split("### Not passed") as [string];
  expect(table).not.toMatch(/<img|\*c\*|`d`|\[e\]|http:\/\/|[^\w]@s/);
  expect(table.split("\n").filter((line) => line.startsWith("| <code>a"))).toHaveLength(1);
  const fences = text.match(/^`{6}(?:text)?$/gm);
  expect(fences).toHaveLength(2);
});

test("an infrastructure error is marked as such", async () => {
  const text = await report([
    { task: "a", outcome: "infra_error", error: { code: "infra", message: "no disk", hint: null } },
  ]);
  expect(text).toContain("## ⚠️");
  expect(text).toContain("1 × infra_error: no disk");
});
