import { resolve } from "node:path";
import type { Command } from "commander";
import { createPalette, describeVerification } from "../report/index.js";
import { packSubmission, verifySubmission } from "../submission/index.js";
import { EXIT } from "./exit-codes.js";
import { readVersion } from "./version.js";

const NOTES = `
Examples:
  term-run submit runs/2026-01-05T09-00-00-my-agent --out submissions/my-agent
  term-run verify-submission submissions/my-agent --tasks tasks/

It copies run.json, summary.json, and the result and the log of every trial, with a manifest of
their hashes. Look through them before you publish: logs contain what the agent and its commands wrote.

Exit codes: 0 packed; 1 packed, but its logs contradict its results; 2 bad usage or an unfinished run.`;

/** \`term-run submit RUN --out DIR\`: a run as a leaderboard takes it. */
export function addSubmitCommand(program: Command, exit: (code: number) => void): void {
  program
    .command("submit")
    .description("pack a finished run for a leaderboard")
    .argument("<run>", "folder of the run")
    .requiredOption("-o, --out <folder>", "a new folder for the submission")
    .addHelpText("after", NOTES)
    .action(async (run: string, flags: { out: string }) => exit(await submit(run, flags.out)));
}

async function submit(run: string, to: string): Promise<number> {
  const out = resolve(to);
  const manifest = await packSubmission(run, out, { version: readVersion(), now: new Date() });
  // The recipient will verify it, so report problems now.
  const verification = await verifySubmission(out, { rules: null, tasks: null });
  const { stdout } = process;
  const lines = [
    ...describeVerification(verification, createPalette(stdout.isTTY === true)),
    `${Object.keys(manifest.files).length} files in ${out}`,
  ];
  stdout.write(`${lines.join("\n")}\n`);
  return verification.ok ? EXIT.ok : EXIT.below;
}
