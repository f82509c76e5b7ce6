import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeLeaderboardHtml } from "../../src/report/leaderboard/html.js";
import { rankAgents } from "../../src/score/leaderboard.js";
import { makeRun, makeTasks } from "../support/stored-run.js";
import { openBrowser, skipsBrowser } from "./browser.js";
import { findFaintTexts } from "./contrast.js";

const run = (agent: string, failed: number, seconds: number, costUsd?: number) => ({
  ...makeRun({
    run: agent,
    agent,
    tasks: makeTasks(40, failed),
    seconds,
    ...(costUsd === undefined ? {} : { costUsd }),
  }),
  submittedAt: "2030-01-01T00:00:00.000Z",
});
const board = rankAgents(
  [run("best", 0, 100, 2), run("<i>x</i>", 20, 9), run("last", 39, 30, 10)],
  { minAttempts: 1 },
);

describe.skipIf(skipsBrowser())("the leaderboard's page", () => {
  const dir = mkdtempSync(join(tmpdir(), "leaderboard-"));
  let browser: Browser;

  beforeAll(async () => {
    writeFileSync(join(dir, "index.html"), writeLeaderboardHtml(board));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(dir, { recursive: true });
  });

  async function open(options: Parameters<Browser["newPage"]>[0] = {}): Promise<Page> {
    const page = await browser.newPage(options);
    await page.goto(`file://${join(dir, "index.html")}`);
    return page;
  }
  const agents = (page: Page) => page.locator("tbody th").allTextContents();

  test("sorts with the keyboard alone; unknown values stay last", async () => {
    const page = await open();
    expect(await agents(page)).toEqual(["best", "<i>x</i>", "last"]);
    await page.getByRole("button", { name: "time/trial" }).focus();
    await page.keyboard.press("Enter");
    expect(await agents(page)).toEqual(["<i>x</i>", "last", "best"]);
    await page.keyboard.press("Enter");
    expect(await agents(page)).toEqual(["best", "last", "<i>x</i>"]);
    expect(await page.getByRole("status").textContent()).toBe("Sorted by time/trial, descending");
    const cost = page.getByRole("button", { name: "cost/trial" });
    await cost.click();
    expect(await agents(page)).toEqual(["best", "last", "<i>x</i>"]);
    await cost.click();
    expect(await agents(page)).toEqual(["last", "best", "<i>x</i>"]);
    await page.close();
  });

  test.each(["light", "dark"] as const)("every text is readable in %s", async (colorScheme) => {
    const page = await open({ colorScheme });
    expect(await findFaintTexts(page)).toEqual([]);
    await page.close();
  });

  test("on a phone only the table scrolls sideways", async () => {
    const page = await open({ viewport: { width: 375, height: 700 } });
    const width = await page.evaluate("document.documentElement.scrollWidth");
    expect(width).toBeLessThanOrEqual(375);
    await page.close();
  });
});
