/** A piece of a form: a text, or several of which one stands there, none the beginning of another. */
type Piece = string | readonly string[];

/** A way in which a secret may be written. */
export interface Form {
  pieces: Piece[];
  /** Whether lines may be wrapped anywhere in it. */
  wraps: boolean;
}

/** Shorter secrets aren't looked for at all: they would redact ordinary words. */
const MIN_LENGTH = 4;
/** Of shorter secrets, base64 is so short that other text may look the same. */
const MIN_BASE64_BYTES = 6;
/** Lines of a secret, such as of a private key, that count as secrets too: stderr comes in lines. */
const MIN_LINE_LENGTH = 16;

/** How a line may be wrapped: as it is, in JSON, in JSON within JSON, in a URL. */
export const WRAPS = ["\n", "\r\n", "\\n", "\\r\\n", "\\\\n", "\\\\r\\\\n", "%0A", "%0D%0A"];

type Spell = (text: string) => string;

/**
 * The forms of a secret: as it is, in JSON, in JSON within JSON, in a URL, and in base64, wherever
 * its bytes begin there. `spell` says how the searched text shows a character.
 */
export function listForms(secret: string, spell: Spell): Form[] {
  const bytes = Buffer.from(secret);
  const shifts = bytes.length < MIN_BASE64_BYTES ? [] : [0, 1, 2];
  const chars = [...secret];
  const forms = [
    { pieces: join(chars, spell), wraps: false },
    { pieces: join(chars, (char) => inJson(char, spell)), wraps: false },
    { pieces: join(chars, (char) => inJsonTwice(char, spell)), wraps: false },
    { pieces: join(chars, (char) => inUrl(char, spell)), wraps: false },
    ...shifts.map((shift) => ({ pieces: base64(bytes, shift), wraps: true })),
  ];
  return [...new Map(forms.map((form) => [JSON.stringify(form), form])).values()];
}

/** What has to be looked for: the secrets, and the lines of those that have several. */
export function listParts(secrets: readonly string[]): string[] {
  const lines = secrets.flatMap((secret) =>
    secret
      .split(/\r?\n/)
      .filter((line) => line !== secret && !line.startsWith("-----"))
      .filter((line) => line.length >= MIN_LINE_LENGTH),
  );
  const parts = [...new Set([...secrets, ...lines])];
  return parts.filter((part) => part.length >= MIN_LENGTH).sort((a, b) => b.length - a.length);
}

/** What the characters become; pieces with one choice are joined. */
function join(chars: Iterable<string>, spell: (char: string) => Piece): Piece[] {
  const known = new Map<string, Piece>();
  const pieces: Piece[] = [];
  let literal = "";
  for (const char of chars) {
    const piece = known.get(char) ?? spell(char);
    known.set(char, piece);
    if (typeof piece === "string") literal += piece;
    else if (piece.length === 1) literal += piece[0];
    else {
      if (literal !== "") pieces.push(literal);
      pieces.push(piece);
      literal = "";
    }
  }
  if (literal !== "") pieces.push(literal);
  return pieces;
}

const SHORT: Record<string, string> = {
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  '"': '\\"',
  "\\": "\\\\",
};

function inJson(char: string, spell: Spell): string[] {
  if (/[A-Za-z0-9]/.test(char)) return [char];
  const short = SHORT[char] ?? (char === "/" ? "\\/" : null);
  const isRaw = SHORT[char] === undefined && char >= " ";
  return unique([...(isRaw ? [spell(char)] : []), ...(short ? [short] : []), ...unicode(char)]);
}

/** `\u00e9`, in both cases, and for characters beyond 16 bits a pair of those. */
function unicode(char: string): string[] {
  const units = [...Array(char.length).keys()].map((at) => hex(char.charCodeAt(at), 4));
  return [units, units.map(upper)].map((all) => all.map((unit) => `\\u${unit}`).join(""));
}

/** A JSON text as it looks within a JSON string. */
function inJsonTwice(char: string, spell: Spell): string[] {
  return inJson(char, spell).map((text) => text.replace(/["\\]/g, "\\$&"));
}

function inUrl(char: string, spell: Spell): string[] {
  if (/[A-Za-z0-9]/.test(char)) return [char];
  const bytes = [...Buffer.from(char)].map((byte) => hex(byte, 2));
  const escaped = [bytes, bytes.map(upper)].map((all) => all.map((byte) => `%${byte}`).join(""));
  const raw = char === "%" ? [] : [spell(char)];
  return unique([...raw, ...(char === " " ? ["+"] : []), ...escaped]);
}

/** What is the same wherever bytes occur in a text whose base64 begins `shift` bytes earlier. */
function base64(bytes: Buffer, shift: number): Piece[] {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
  const from = Math.ceil((shift * 8) / 6);
  const to = Math.floor(((shift + bytes.length) * 8) / 6);
  return join(whole.slice(from, to), (char) => SPECIAL[char] ?? char);
}

/** With their stand-ins in base64url, and escaped in JSON or in a URL. */
const SPECIAL: Record<string, Piece> = {
  "+": ["+", "-", "%2B", "%2b", "\\u002b", "\\u002B"],
  "/": ["/", "_", "%2F", "%2f", "\\/", "\\\\/"],
};

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

function upper(text: string): string {
  return text.toUpperCase();
}

function unique(texts: string[]): string[] {
  return [...new Set(texts)];
}
