/** Where a jump leads: the name of a line. */
type Label = string;

/** One instruction, or the name of the one after it. */
export type Line =
  | { label: Label }
  | { load: number }
  | { mask: number }
  | { test: "equal" | "atLeast"; value: number; yes: Label; no: Label }
  | { answer: number };

/** The kernel's codes: load a word, and, compare, return. */
const LOAD = 0x20;
const AND = 0x54;
const TESTS = { equal: 0x15, atLeast: 0x35 };
const RETURN = 0x06;

const BYTES_PER_INSTRUCTION = 8;
/** A test says in one byte how far it jumps. */
const FURTHEST_TEST = 255;

/** Assembles a classic BPF program, in the layout of the kernel's `struct sock_filter`. */
export function assemble(lines: readonly Line[]): Buffer {
  const labels = new Map<Label, number>();
  const instructions: Exclude<Line, { label: Label }>[] = [];
  for (const line of lines)
    if ("label" in line) labels.set(line.label, instructions.length);
    else instructions.push(line);
  const program = Buffer.alloc(instructions.length * BYTES_PER_INSTRUCTION);
  instructions.forEach((line, at) => {
    const distance = (label: Label) => {
      const target = labels.get(label);
      // The kernel's programs have no loops.
      if (target === undefined || target <= at) throw new Error(`no line ${label} after ${at}`);
      return target - at - 1;
    };
    const [code, value, yes, no] = encode(line, distance);
    if (yes > FURTHEST_TEST || no > FURTHEST_TEST) throw new Error(`line ${at} jumps too far`);
    program.writeUInt16LE(code, at * BYTES_PER_INSTRUCTION);
    program.writeUInt8(yes, at * BYTES_PER_INSTRUCTION + 2);
    program.writeUInt8(no, at * BYTES_PER_INSTRUCTION + 3);
    program.writeUInt32LE(value, at * BYTES_PER_INSTRUCTION + 4);
  });
  return program;
}

/** Code, value, and how many instructions to skip if a test holds and if it doesn't. */
function encode(
  line: Exclude<Line, { label: Label }>,
  distance: (label: Label) => number,
): [number, number, number, number] {
  if ("load" in line) return [LOAD, line.load, 0, 0];
  if ("mask" in line) return [AND, line.mask, 0, 0];
  if ("answer" in line) return [RETURN, line.answer, 0, 0];
  return [TESTS[line.test], line.value, distance(line.yes), distance(line.no)];
}
