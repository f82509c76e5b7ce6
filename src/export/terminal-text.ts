// Strings that terminals act on: titles, clipboards, links. They end with BEL or ST.
const STRINGS = String.raw`\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)`;
const SEQUENCES = String.raw`\x1b\[[0-?]*[ -/]*[@-~]`;
const SHORT = String.raw`\x1b[ -/]*[0-~]?`;
const STRAY = String.raw`[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f-\x9f]`;
const ANY = new RegExp([STRINGS, SEQUENCES, SHORT, STRAY].join("|"), "g");

// Colours, cursor moves, erasing; nothing that makes a terminal respond or change its state.
const HARMLESS = /^.\[[0-9;:]*[A-HJKPXLMSTdfm@]$/;
const HALVES = /\p{Cs}/gu;
const CONTROLS = /\p{Cc}/gu;

/** Output that looks the same, without any other effect on the terminal that plays it. */
export function toTerminalOutput(text: string): string {
  return text
    .replace(ANY, (sequence) => (HARMLESS.test(sequence) ? sequence : ""))
    .replace(/\r?\n/g, "\r\n")
    .replace(HALVES, "\ufffd");
}

/** Text with nothing hidden in it; lines stay lines. */
export function toTerminalText(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(CONTROLS, show).replace(HALVES, "\ufffd");
}

function show(character: string): string {
  if (character === "\n") return "\r\n";
  if (character === "\t") return "\t";
  const code = character.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\ufffd";
}
