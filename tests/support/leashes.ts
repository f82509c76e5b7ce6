import type { Leash } from "../../src/leash/index.js";
import { openLeash } from "../../src/leash/index.js";

export const hasBubblewrap = process.env.TERM_RUN_TEST_BWRAP !== "skip";

const opened = hasBubblewrap ? await openLeash({ trusted: false }) : null;
if (opened?.kind === "none") throw new Error(opened.notice);

/** A leash that hides these, where there is bubblewrap. */
export function leashHiding(...hidden: string[]): Leash | null {
  return opened?.kind === "bubblewrap" ? { bwrap: opened.bwrap, hidden } : null;
}

/** With and without a leash: what must be the same for both. */
export const LEASHES = [
  { name: "without a leash", leash: null },
  ...(hasBubblewrap ? [{ name: "on a leash", leash: leashHiding() }] : []),
];
