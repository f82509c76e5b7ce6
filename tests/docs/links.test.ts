import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGES = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md"],
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const LINK = /\]\((?!https?:)([^)#]*)(#[^)]*)?\)/g;

test.each(PAGES)("links in %s lead to files and headings that exist", (page) => {
  const broken = [...read(page).matchAll(LINK)].filter(([, path = "", heading]) => {
    const target = path === "" ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, target))) return true;
    return heading !== undefined && !headingsOf(target).includes(heading);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

function read(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

/** As they stand in links: in lower case, with hyphens, without punctuation. */
function headingsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => {
    const words = title.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "");
    return `#${words.replaceAll(" ", "-")}`;
  });
}
