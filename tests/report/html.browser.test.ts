import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { readRun } from "../../src/events/run-folder.js";
import { createFileWriter } from "../../src/report/documents/file.js";
import { createHtml } from "../../src/report/html/write.js";
import { type StoredTrial, writeRun } from "../support/stored-run.js";
import { makeTrials } from "./big-run.js";
import { openBrowser, skipsBrowser } from "./browser.js";
import { findFaintTexts } from "./contrast.js";
import { drive } from "./documents.js";

const DESK = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const SCHEMES = ["light", "dark"] as const;

describe.skipIf(skipsBrowser())("the page in a browser", () => {
  let browser: Browser;
  let folder: string;
  let big: string;

  async function write(name: string, trials: Iterable<StoredTrial>): Promise<string> {
    const dir = writeRun(join(folder, name), trials);
    const file = join(dir, "report.html");
    await drive(
      await readRun(dir),
      createFileWriter(createHtml(), () => file),
    );
    return file;
  }

  /** A page that fails the test when it has an error or asks for anything from elsewhere. */
  async function open(file: string, options: BrowserContextOptions = DESK): Promise<Page> {
    const address = pathToFileURL(file).href;
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    page.on("request", (request) => {
      if (request.url() !== address) problems.push(`asked for ${request.url()}`);
    });
    onTestFinished(async () => {
      await context.close();
      expect(problems).toEqual([]);
    });
    await page.goto(address);
    await page.waitForSelector("[role=tab]");
    return page;
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "html-"));
    browser = await openBrowser();
    big = await write("big", makeTrials(400, 5, 100));
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("2,000 trials with 100 steps each open quickly", async () => {
    const context = await browser.newContext(DESK);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(pathToFileURL(big).href);
    await page.waitForSelector(".cell");
    const [firstPaint, loaded] = (await page.evaluate(
      "[...performance.getEntriesByName('first-contentful-paint'), ...performance.getEntriesByType('navigation')].map((entry) => Math.round(entry.startTime + entry.duration))",
    )) as [number, number];
    const megabytes = Math.round(statSync(big).size / 1e6);
    console.info(`first paint ${firstPaint} ms, loaded ${loaded} ms, ${megabytes} MB`);
    // About a second where it was measured, with a margin for slow machines.
    expect(loaded).toBeLessThan(10_000);
    expect(await page.locator("[role=status]").first().textContent()).toBe(
      "2,000 trials, 400 tasks",
    );
  });

  test("search and outcomes filter both tables", async () => {
    const page = await open(big);
    await page.fill("#search", "parse-log-006");
    await expect
      .poll(() => page.locator("[role=status]").first().textContent())
      .toBe("5 of 2,000 trials, 1 of 400 tasks");
    expect(await page.locator(".tasks tbody tr").count()).toBe(1);
    await page.click("#tab-trials");
    expect(await page.locator(".trials tbody tr").count()).toBe(5);
    await page.fill("#search", "");
    await page.click(".chip.tone-broken");
    expect(await page.getAttribute(".chip.tone-broken", "aria-pressed")).toBe("true");
    const outcomes = await page.locator(".trials td.outcome").allTextContents();
    expect(new Set(outcomes)).toEqual(new Set(["! infra error"]));
    await page.fill("#search", "no such thing");
    expect(await page.textContent(".trials tbody")).toBe("no trial matches");
  });

  test("columns sort, and rows come a hundred at a time", async () => {
    const page = await open(big);
    await page.click("#tab-trials");
    expect(await page.locator(".trials tbody tr").count()).toBe(100);
    await page.click(".trials th.time button");
    expect(await page.getAttribute(".trials th.time", "aria-sort")).toBe("descending");
    const slowest = await page.textContent(".trials tbody td.time");
    await page.click(".trials th.time button");
    expect(await page.textContent(".trials tbody td.time")).not.toBe(slowest);
    await page.getByRole("button", { name: "Show 100 more" }).last().click();
    expect(await page.locator(".trials tbody tr").count()).toBe(200);
  });

  test("a trial shows its steps, colours and verifier, and can be searched", async () => {
    const page = await open(big);
    await page.click(".cell.tone-bad");
    await page.waitForSelector("dialog[open] .step");
    expect(await page.locator(".step").count()).toBe(101);
    const step = page.locator(".step").first();
    expect(await step.locator("pre.command").textContent()).toMatch(/^grep -rn /);
    expect(await step.locator(".badge").textContent()).toMatch(/^exit [01]$/);
    const colors = await page.locator(".step pre.output span").evaluateAll((spans) => [
      // biome-ignore lint/suspicious/noExplicitAny: elements of the page
      ...new Set(spans.map((span: any) => span.style.color)),
    ]);
    expect(colors.length).toBeGreaterThan(2);
    expect(await page.locator(".verifier pre").textContent()).toContain("1 failed, 3 passed");
    await page.fill("dialog input[type=search]", "expected 42");
    expect(await page.locator(".step:visible").count()).toBe(1);
    await page.fill("dialog input[type=search]", "");
    await page.check("dialog input[type=checkbox]");
    const failed = await page.locator(".step:visible").count();
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThan(60);
  });

  test("each part of a task has a heading, its instruction and its verdict", async () => {
    const long = Array.from({ length: 20 }, (_, line) => `requirement ${line}`).join("\n");
    const file = await write("parts", [
      {
        task: "a",
        outcome: "failed",
        parts: [
          { name: "build", instruction: "Build it.", steps: [{ command: "make" }] },
          { name: "serve", instruction: long, steps: [{ command: "run", refused: "no network" }] },
        ],
      },
      { task: "b", instruction: "Do b.", steps: [{ command: "ls" }] },
    ]);
    const page = await open(file, { ...DESK, colorScheme: "dark" });
    await page.click(".cell.tone-bad");
    const parts = page.locator("dialog .part");
    await expect.poll(() => parts.count()).toBe(2);
    expect(await parts.locator("h3").allTextContents()).toEqual([
      "Part 1 of 2: build",
      "Part 2 of 2: serve",
    ]);
    expect(await parts.first().locator(".instruction p").textContent()).toBe("Build it.");
    expect(await parts.last().locator(".instruction p").isVisible()).toBe(false);
    await parts.last().getByText("Instruction (20 lines)").click();
    expect(await parts.last().locator(".instruction p").textContent()).toBe(long);
    expect(await parts.locator(".verifier .badge").allTextContents()).toEqual([
      "reward 1",
      "reward 0",
    ]);
    expect(await parts.last().locator(".problem").textContent()).toBe(
      "The command was refused: no network",
    );
    expect(await findFaintTexts(page)).toEqual([]);
    await page.keyboard.press("j");
    await expect.poll(() => page.textContent("dialog .instruction p")).toBe("Do b.");
    expect(await parts.count()).toBe(0);
  });

  test("a search in the transcripts finds what no row shows", async () => {
    const file = await write("small", [
      { task: "a", steps: [{ command: "cat secret-plan.txt", output: 'say "hi"\nthere' }] },
      { task: "b", steps: [{ command: "ls" }] },
    ]);
    const page = await open(file);
    await page.check(".search input[type=checkbox]");
    for (const text of ["Secret-Plan", 'say "hi"']) {
      await page.fill("#search", "");
      await expect
        .poll(() => page.locator("[role=status]").first().textContent())
        .toBe("2 trials, 2 tasks");
      await page.fill("#search", text);
      await expect
        .poll(() => page.locator("[role=status]").first().textContent())
        .toBe("1 of 2 trials, 1 of 2 tasks");
    }
  });

  test("the keyboard is enough", async () => {
    const page = await open(big);
    const focused = (attribute: string) => page.locator(":focus").getAttribute(attribute);
    await page.keyboard.press("/");
    expect(await focused("id")).toBe("search");
    await page.keyboard.type("find-leak-003");
    await expect.poll(() => page.locator(".tasks tbody tr").count()).toBe(1);
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press("Tab");
      if ((await focused("class"))?.startsWith("cell")) break;
    }
    expect(await focused("aria-label")).toMatch(/^find-leak-003\.1: /);
    await page.keyboard.press("ArrowRight");
    expect(await focused("aria-label")).toMatch(/^find-leak-003\.2: /);
    await page.keyboard.press("End");
    expect(await focused("aria-label")).toMatch(/^find-leak-003\.5: /);
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog[open] .step");
    expect(await page.textContent("#trial-title")).toBe("find-leak-003.1");
    expect(new URL(page.url()).hash).toBe("#find-leak-003.1");
    await page.keyboard.press("j");
    await expect.poll(() => page.textContent("#trial-title")).toBe("find-leak-003.2");
    await page.waitForSelector("dialog[open] .step");
    await page.keyboard.press("k");
    await expect.poll(() => page.textContent("#trial-title")).toBe("find-leak-003.1");
    await page.waitForSelector("dialog[open] .step");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog:not([open])", { state: "attached" });
    await expect.poll(() => new URL(page.url()).hash).toBe("");
    expect(await focused("aria-label")).toMatch(/^find-leak-003\.1: /);
    await page.focus("#tab-tasks");
    await page.keyboard.press("ArrowRight");
    expect(await page.isVisible(".trials")).toBe(true);
    expect(await page.isVisible(".tasks")).toBe(false);
  });

  test("a link to a trial opens it", async () => {
    const page = await open(big);
    await page.goto(`${pathToFileURL(big).href}#sort-csv-002.4`);
    await page.waitForSelector("dialog[open] .step");
    expect(await page.textContent("#trial-title")).toBe("sort-csv-002.4");
  });

  test.each(SCHEMES)("every text is readable in %s", async (colorScheme) => {
    const page = await open(big, { ...DESK, colorScheme });
    expect(await findFaintTexts(page)).toEqual([]);
    await page.click("#tab-trials");
    expect(await findFaintTexts(page)).toEqual([]);
    await page.click("#tab-cost");
    expect(await findFaintTexts(page)).toEqual([]);
    await page.click("#tab-tasks");
    await page.click(".cell.tone-bad");
    await page.waitForSelector("dialog[open] .step");
    expect(await findFaintTexts(page)).toEqual([]);
    await page.locator(".verifier").scrollIntoViewIfNeeded();
    expect(await findFaintTexts(page)).toEqual([]);
  });

  test("nothing is wider than a phone", async () => {
    const page = await open(big, PHONE);
    const excess = () => page.locator("html").evaluate(measureExcess);
    expect(await excess()).toBe(0);
    for (const tab of ["trials", "cost", "tasks"]) {
      await page.click(`#tab-${tab}`);
      expect(await excess()).toBe(0);
    }
    await page.click(".cell.tone-bad");
    await page.waitForSelector("dialog[open] .step");
    expect(await page.locator("dialog").evaluate(measureExcess)).toBe(0);
    expect((await page.locator("dialog").boundingBox())?.width).toBeLessThanOrEqual(360);
    for (const button of await page.locator("dialog .actions button").all())
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  });

  test("hostile text is shown as text", async () => {
    const hostile =
      "</script><script>window.owned=1</script><img src=x onerror=window.owned=1>\u001b]8;;javascript:window.owned=1\u0007link\u001b]8;;\u0007 \u001b[38;5;16mblack\u001b[0m \u001b[48;2;255;255;255;97mwhite\u001b[0m";
    const file = await write("hostile", [
      {
        task: "</script><script>window.owned=1</script>",
        digest: "d",
        outcome: "failed",
        error: { code: "x", message: hostile, hint: hostile },
        steps: [
          { text: hostile, command: hostile, output: hostile, stderr: [hostile], invalid: hostile },
        ],
        verifier: hostile,
      },
    ]);
    const page = await open(file);
    await page.click(".cell.tone-bad");
    await page.waitForSelector("dialog[open] .step");
    expect(await page.evaluate(() => (globalThis as { owned?: number }).owned)).toBeUndefined();
    expect(await page.locator("img, dialog a").count()).toBe(0);
    expect(await page.locator("pre.command").textContent()).toContain("<img src=x");
    expect(await findFaintTexts(page)).toEqual([]);
  });
});

function measureExcess(element: { scrollWidth?: number; clientWidth?: number }): number {
  return (element.scrollWidth ?? 0) - (element.clientWidth ?? 0);
}
