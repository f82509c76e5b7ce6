import { el } from "./dom.js";

/** Readable on the terminal's background, #10151c: a contrast of at least 4.5 to 1. */
const COLORS = [
  "#8b949e",
  "#ff7b72",
  "#56d364",
  "#e3b341",
  "#79c0ff",
  "#d2a8ff",
  "#56d4dd",
  "#d0d7de",
  "#9ea7b0",
  "#ffa198",
  "#7ee787",
  "#f2cc60",
  "#a5d6ff",
  "#e2c5ff",
  "#b3f0ff",
  "#ffffff",
];
const BACKGROUND = "#10151c";
const FOREGROUND = "#d6dde5";

// Colours first; then escapes that have no meaning here, and stray control characters.
const TOKENS = new RegExp(
  [
    String.raw`\x1b\[([0-9;:]*)m`,
    String.raw`\x1b\[[0-?]*[ -/]*[@-~]`,
    String.raw`\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)`,
    String.raw`\x1b[ -/]*[0-~]?`,
    String.raw`[\x00-\x08\x0b-\x1f\x7f-\x9f]`,
  ].join("|"),
  "g",
);

/** @typedef {{ fg: string | null, bg: string | null, bold: boolean, dim: boolean, italic: boolean, underline: boolean, strike: boolean, inverse: boolean }} Style */

/**
 * A terminal's output as it looked: colours kept, cursor moves left out.
 * @param {string} text
 */
export function drawOutput(text) {
  const fragment = document.createDocumentFragment();
  for (const { text: part, style } of parseOutput(text)) {
    const look = style && describe(style);
    if (!look) {
      fragment.append(part);
      continue;
    }
    const span = el("span", {}, part);
    Object.assign(span.style, look);
    fragment.append(span);
  }
  return fragment;
}

/**
 * @param {string} text
 * @returns {{ text: string, style: Style | null }[]}
 */
function parseOutput(text) {
  /** @type {{ text: string, style: Style | null }[]} */
  const parts = [];
  /** @type {Style | null} */
  let style = null;
  const source = overwriteLines(text);
  let at = 0;
  for (const match of source.matchAll(TOKENS)) {
    if (match.index > at) parts.push({ text: clean(source.slice(at, match.index)), style });
    at = match.index + match[0].length;
    if (match[1] !== undefined) style = applyCodes(style, match[1]);
  }
  if (at < source.length) parts.push({ text: clean(source.slice(at)), style });
  return parts;
}

/** A progress bar overwrites its own line: only the final state is kept. @param {string} text */
function overwriteLines(text) {
  if (!text.includes("\r")) return text;
  return text
    .replaceAll(/\r+\n/g, "\n")
    .split("\n")
    .map((line) => line.replace(/\r+$/, ""))
    .map((line) => line.slice(line.lastIndexOf("\r") + 1))
    .join("\n");
}

/** Bidirectional controls, which would reorder a line, are shown instead of applied. @param {string} text */
function clean(text) {
  return text.replace(/\p{Bidi_Control}/gu, "\ufffd");
}

/**
 * @param {Style | null} before
 * @param {string} codes
 * @returns {Style | null}
 */
function applyCodes(before, codes) {
  /** @type {Style} */
  const plain = {
    fg: null,
    bg: null,
    bold: false,
    dim: false,
    italic: false,
    underline: false,
    strike: false,
    inverse: false,
  };
  const style = { ...plain, ...before };
  const numbers = codes.split(/[;:]/).map(Number);
  for (let i = 0; i < numbers.length; i++) {
    const code = numbers[i];
    if (code === 0) Object.assign(style, plain);
    else if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 3) style.italic = true;
    else if (code === 4) style.underline = true;
    else if (code === 7) style.inverse = true;
    else if (code === 9) style.strike = true;
    else if (code === 22) style.bold = style.dim = false;
    else if (code === 23) style.italic = false;
    else if (code === 24) style.underline = false;
    else if (code === 27) style.inverse = false;
    else if (code === 29) style.strike = false;
    else if (code >= 30 && code <= 37) style.fg = COLORS[code - 30];
    else if (code === 39) style.fg = null;
    else if (code >= 40 && code <= 47) style.bg = COLORS[code - 40];
    else if (code === 49) style.bg = null;
    else if (code >= 90 && code <= 97) style.fg = COLORS[code - 82];
    else if (code >= 100 && code <= 107) style.bg = COLORS[code - 92];
    else if (code === 38 || code === 48) {
      const [color, used] = extendedColor(numbers.slice(i + 1));
      if (code === 38) style.fg = color;
      else style.bg = color;
      i += used;
    }
  }
  return Object.entries(style).some(([, value]) => value) ? style : null;
}

/**
 * `5;n` of 256 colours, or `2;r;g;b`.
 * @param {number[]} numbers
 * @returns {[string | null, number]}
 */
function extendedColor([kind, a = 0, b = 0, c = 0]) {
  if (kind === 2) return [toHex(a, b, c), 4];
  if (kind !== 5) return [null, 0];
  if (a < 16) return [COLORS[a] ?? null, 2];
  if (a >= 232) return [toHex(8 + (a - 232) * 10, 8 + (a - 232) * 10, 8 + (a - 232) * 10), 2];
  const level = (/** @type {number} */ n) => (n === 0 ? 0 : 55 + n * 40);
  const cube = a - 16;
  return [toHex(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)), 2];
}

/** @param {Style} style */
function describe(style) {
  let fg = style.fg ?? FOREGROUND;
  let bg = style.bg ?? BACKGROUND;
  if (style.inverse) [fg, bg] = [bg, fg];
  /** @type {Partial<CSSStyleDeclaration>} */
  const look = { color: readable(fg, bg) };
  if (bg !== BACKGROUND) look.backgroundColor = bg;
  if (style.bold) look.fontWeight = "700";
  if (style.italic) look.fontStyle = "italic";
  const lines = [style.underline && "underline", style.strike && "line-through"].filter(Boolean);
  if (lines.length > 0) look.textDecoration = lines.join(" ");
  return look;
}

/**
 * The colour itself, or black or white where its contrast is too low.
 * @param {string} fg
 * @param {string} bg
 */
function readable(fg, bg) {
  if (contrast(fg, bg) >= 4.5) return fg;
  return contrast("#ffffff", bg) >= 4.5 ? "#ffffff" : "#000000";
}

/**
 * @param {string} a
 * @param {string} b
 */
function contrast(a, b) {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

/** @param {string} hex */
function luminance(hex) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {...number} parts */
function toHex(...parts) {
  const two = (/** @type {number} */ part) =>
    Math.max(0, Math.min(255, Math.round(part || 0)))
      .toString(16)
      .padStart(2, "0");
  return `#${parts.map(two).join("")}`;
}
