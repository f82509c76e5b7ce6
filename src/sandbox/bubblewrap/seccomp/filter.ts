import { assemble, type Line } from "./bpf.js";
import { type Architecture, callsOf } from "./calls.js";
import { type Condition, type Verdict, verdictOn } from "./policy.js";

/** Where the kernel puts the call's number, the architecture and the arguments' lower halves. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argumentAt = (index: number) => 16 + 8 * index;

const AUDIT_ARCHITECTURES: Record<Architecture, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };
const ALLOW = 0x7fff0000;
const EPERM = 1;
const ENOSYS = 38;
const errno = (code: number) => 0x00050000 | code;
const ANSWERS = { allow: ALLOW, refuse: errno(EPERM), unknown: errno(ENOSYS) };

/** Calls in a row with the same verdict, from a number up to the next span. */
interface Span {
  from: number;
  verdict: Verdict;
}

/** The program that decides on every system call in a sandbox. */
export function seccompFilter(architecture: Architecture): Buffer {
  return assemble([
    { load: ARCHITECTURE },
    { test: "equal", value: AUDIT_ARCHITECTURES[architecture], yes: "own", no: "foreign" },
    // 32-bit programs have other numbers for other calls.
    { label: "foreign" },
    { answer: ANSWERS.unknown },
    { label: "own" },
    { load: NUMBER },
    ...search(spansOf(architecture)),
  ]);
}

/** The last one is of what isn't in the table: newer calls, and those of x32. */
function spansOf(architecture: Architecture): Span[] {
  const verdicts: Verdict[] = [];
  for (const [name, number] of callsOf(architecture)) verdicts[number] = verdictOn(name);
  const spans: Span[] = [];
  for (let number = 0; number <= verdicts.length; number++) {
    const verdict = verdicts[number] ?? "unknown";
    if (spans.at(-1)?.verdict !== verdict) spans.push({ from: number, verdict });
  }
  return spans;
}

/** Halves the spans until one is left: few comparisons, whatever the call. */
function search(spans: readonly Span[]): Line[] {
  const [first] = spans;
  if (!first) return [];
  if (spans.length === 1) return decide(first);
  const middle = Math.ceil(spans.length / 2);
  const { from } = spans[middle] as Span;
  const [low, high] = [`below ${from}`, `from ${from}`];
  return [
    { test: "atLeast", value: from, yes: high, no: low },
    { label: low },
    ...search(spans.slice(0, middle)),
    { label: high },
    ...search(spans.slice(middle)),
  ];
}

function decide({ from, verdict }: Span): Line[] {
  return typeof verdict === "string" ? [{ answer: ANSWERS[verdict] }] : examine(from, verdict);
}

function examine(call: number, { argument, mask, values, are }: Condition): Line[] {
  const [listed, others] = [`${call} listed`, `${call} others`];
  const allowed = are === "allowed";
  return [
    { load: argumentAt(argument) },
    ...(mask === undefined ? [] : [{ mask }]),
    ...values.flatMap((value, at): Line[] => {
      const next = at === values.length - 1 ? others : `${call} after ${at}`;
      return [{ test: "equal", value, yes: listed, no: next }, { label: next }];
    }),
    { answer: allowed ? ANSWERS.refuse : ANSWERS.allow },
    { label: listed },
    { answer: allowed ? ANSWERS.allow : ANSWERS.refuse },
  ];
}
