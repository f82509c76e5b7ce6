import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Story, StoryPart } from "../../events/index.js";
import type { Document } from "../documents/document.js";
import { cutMiddle, escapeMarkup } from "../documents/text.js";
import { readAssets } from "./assets.js";
import { buildIndex } from "./index-data.js";

/** Characters of all stories together, before compression: as much as a browser can open. */
const TOTAL_LENGTH = 300_000_000;
const STORY_LENGTH = { min: 40_000, max: 2_000_000 };
const OUTPUT_LENGTH = { min: 1_000, max: 20_000 };

const pack = promisify(gzip);

/**
 * One page that needs nothing else. The index comes first and draws the page; each trial follows,
 * compressed, and is decompressed when it is opened.
 */
export function createHtml(): Document {
  let maxLength = 0;
  let number = 0;
  return {
    begin(run) {
      const { script, style } = readAssets();
      const index = buildIndex(run);
      maxLength = clamp(TOTAL_LENGTH / (index.trials.length || 1), STORY_LENGTH);
      return [
        head(index.run, script, style),
        `<script type="application/json" id="index">${escapeJson(index)}</script>\n`,
        `<script>${script}</script>\n`,
      ].join("");
    },
    async trial(_trial, story) {
      const id = `t${number}`;
      number += 1;
      const packed = await pack(JSON.stringify(shorten(story, maxLength)), { level: 6 });
      return `<script type="application/octet-stream" id="${id}">${packed.toString("base64")}</script>\n`;
    },
    end: () => "</body>\n</html>\n",
  };
}

function head(title: string, script: string, style: string): string {
  // Only the script in this file runs, whatever a trial's output contains; nothing is fetched.
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
<noscript><p>This report needs JavaScript. It loads nothing from the network.</p></noscript>
<div id="app"></div>
`;
}

function shorten(story: Story, maxLength: number): Story {
  const steps = story.parts.reduce((sum, part) => sum + part.steps.length, 0);
  const length = clamp(maxLength / (steps || 1), OUTPUT_LENGTH);
  return { ...story, parts: story.parts.map((part) => shortenPart(part, length)) };
}

function shortenPart(part: StoryPart, length: number): StoryPart {
  const cut = <T extends string | null>(text: T) =>
    text === null ? text : cutMiddle(text, length);
  return {
    ...part,
    instruction: part.instruction && cutMiddle(part.instruction, OUTPUT_LENGTH.max),
    steps: part.steps.map((step) => ({
      ...step,
      text: cut(step.text),
      command: cut(step.command),
      ran: step.ran && { ...step.ran, output: cutMiddle(step.ran.output, length) },
      data: step.data?.usage ? { usage: step.data.usage } : null,
    })),
    verifier: part.verifier && {
      ...part.verifier,
      output: cutMiddle(part.verifier.output, OUTPUT_LENGTH.max),
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
