import { cleanLine } from "./text.js";

// A colon is special in Markdown only in a link, an underscore only at the edge of a word.
const MARKDOWN = /[\\`*{}[\]#+!|<>&~$"']|:(?=\S)|(?<!\w)_|_(?!\w)/g;

/** One line of text without any Markdown, HTML or mention in it. */
export function escapeMarkdown(text: string): string {
  return cleanLine(text)
    .replace(MARKDOWN, toReference)
    .replace(/(?<!\w)@/g, "@\u200b");
}

/** Text for an element or a quoted attribute of a page. */
export function escapeHtml(text: string): string {
  return cleanLine(text).replace(/[&<>"']/g, toReference);
}

function toReference(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
