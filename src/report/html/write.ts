import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { StoredRun } from "../../events/run-folder.js";
import { readStory, type Story } from "../../events/story.js";
import { cutMiddle, escapeMarkup } from "../document.js";
import { readAssets } from "./assets.js";
import { buildIndex } from "./index-data.js";

/** Characters of all stories together, before they are packed: what a browser still opens. */
const TOTAL_LENGTH = 300_000_000;
const STORY_LENGTH = { min: 40_000, max: 2_000_000 };
const OUTPUT_LENGTH = { min: 1_000, max: 20_000 };

const pack = promisify(gzip);

/**
 * One page that needs nothing else. The index comes first and draws the page; each trial follows,
 * packed, and is unpacked when it is opened.
 */
export async function* writeHtml(run: StoredRun): AsyncGenerator<string> {
  const { script, style } = readAssets();
  const index = buildIndex(run);
  yield head(index.run, script, style);
  yield `<script type="application/json" id="index">${escapeJson(index)}</script>\n`;
  yield `<script>${script}</script>\n`;
  const room = clamp(TOTAL_LENGTH / (index.trials.length || 1), STORY_LENGTH);
  for (const [number, { trial }] of index.trials.entries()) {
    const story = shorten(await readStory(run.dir, trial), room);
    const packed = await pack(JSON.stringify(story), { level: 6 });
    yield `<script type="application/octet-stream" id="t${number}">${packed.toString("base64")}</script>\n`;
  }
  yield "</body>\n</html>\n";
}

function head(title: string, script: string, style: string): string {
  // Only what is written here runs, whatever a trial's output holds; nothing is fetched.
  const policy = [
    "default-src 'none'",
    `script-src '${hash(script)}'`,
    `style-src '${hash(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)} · term-run</title>
<style>${style}</style>
</head>
<body>
<noscript><p>This report needs JavaScript. It loads nothing from anywhere else.</p></noscript>
<div id="app"></div>
`;
}

function shorten(story: Story, room: number): Story {
  const length = clamp(room / (story.steps.length || 1), OUTPUT_LENGTH);
  const cut = (text: string) => cutMiddle(text, length);
  return {
    ...story,
    steps: story.steps.map((step) => ({
      ...step,
      text: step.text === null ? null : cut(step.text),
      command: step.command === null ? null : cut(step.command),
      ran: step.ran && { ...step.ran, output: cut(step.ran.output) },
      data: step.data?.usage ? { usage: step.data.usage } : null,
    })),
    verifier: story.verifier && {
      ...story.verifier,
      output: cutMiddle(story.verifier.output, OUTPUT_LENGTH.max),
    },
  };
}

function clamp(value: number, { min, max }: { min: number; max: number }): number {
  return Math.floor(Math.min(max, Math.max(min, value)));
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

// `</script>` and `<!--` inside a string would end or confuse the element.
function escapeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
