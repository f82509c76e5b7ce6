import { resolve } from "node:path";
import { isBuiltin } from "../agent/index.js";
import { TermRunError } from "../errors.js";
import { type Leash, type LeashChoice, openLeash } from "../leash/index.js";
import type { RunSettings } from "./run-settings.js";

interface OpenedLeash {
  /** null: nothing is started on this machine. */
  leash: LeashChoice | null;
  notice: string | null;
}

/** The leash of a run: as the user says, as the resumed run had it, or as it can be had here. */
export async function openRunLeash({ agent, leash, sandbox }: RunSettings): Promise<OpenedLeash> {
  if (isBuiltin(agent.spec) && sandbox !== "local") return { leash: null, notice: null };
  if (leash === "none")
    return {
      leash: { kind: "none", notice: "" },
      notice: "the agent runs without a leash, as before",
    };
  const opened = await openLeash({ trusted: leash === "trusted" });
  const notice = opened.kind === "none" ? opened.notice : null;
  if (leash !== "bubblewrap" || notice === null) return { leash: opened, notice };
  throw new TermRunError("usage", `the run that is resumed had a leash, but now ${notice}`, {
    hint: "Resume it where bubblewrap works.",
  });
}

/** For an agent that is only talked to: there are no tasks, but there may be runs. */
export async function openCheckLeash(trusted: boolean): Promise<Leash | null> {
  const opened = await openLeash({ trusted });
  if (opened.kind === "none") process.stderr.write(`term-run: ${opened.notice}\n`);
  return opened.kind === "bubblewrap" ? { bwrap: opened.bwrap, hidden: [resolve("runs")] } : null;
}
