import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

function findBrowser(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}

/** Whether the tests that need a browser are left out; never silently, and never in CI. */
export function skipsBrowser(): boolean {
  if (process.env.TERM_RUN_TEST_BROWSER === "skip") return true;
  if (findBrowser() !== undefined || process.env.CI === "true") return false;
  console.error("!! THE BROWSER SUITE IS SKIPPED: there is no chromium on the PATH");
  return true;
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error("there is no chromium on the PATH: install it");
  // As root in a container Chromium can't use its sandbox, and the page is our own.
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
