import type { Command } from "commander";
import { createPalette, describeVerification } from "../report/index.js";
import { describeLimits } from "../runner/index.js";
import { verifySubmission } from "../submission/index.js";
import { findTasks } from "../task/index.js";
import { EXIT } from "./exit-codes.js";
import { addLimitOptions, type LimitFlags, limitsOf } from "./limits.js";
import { collect } from "./options.js";
import { addRegistryOption, type RegistryFlags, withFetching } from "./registries.js";

interface VerifyFlags extends LimitFlags, RegistryFlags {
  tasks?: string[];
  json?: boolean;
}

const NOTES = `
Examples:
  term-run verify-submission submissions/my-agent
  term-run verify-submission submissions/my-agent --tasks tasks/
  term-run verify-submission submissions/my-agent --max-steps 200 --json

The limits are those that the leaderboard requires: a run made with others is refused. With --tasks the
run must have all of these tasks, in this version, and no others.

Exit codes: 0 verified; 1 refused, with the reasons; 2 bad usage or not a submission.`;

/** \`term-run verify-submission DIR\`: can it be trusted? */
export function addVerifySubmissionCommand(program: Command, exit: (code: number) => void): void {
  const command = program
    .command("verify-submission")
    .description("check a submission: complete, unaltered, within limits, scored by its own logs")
    .argument("<folder>", "what term-run submit wrote")
    .option("-t, --tasks <folder>", "the tasks it should have been run with (repeatable)", collect);
  addLimitOptions(addRegistryOption(command))
    .option("--json", "print one JSON document, nothing else")
    .addHelpText("after", NOTES)
    .action(async (dir: string, flags: VerifyFlags) => exit(await verify(dir, flags)));
}

async function verify(dir: string, flags: VerifyFlags): Promise<number> {
  const { tasks } = flags;
  const verification = await verifySubmission(dir, {
    rules: {
      limits: describeLimits(limitsOf(flags)),
      gradeTimeouts: flags.gradeTimeouts === true,
    },
    tasks: tasks ? (await withFetching(flags, (options) => findTasks(tasks, options))).tasks : null,
  });
  const { stdout } = process;
  const lines = flags.json
    ? [JSON.stringify(verification, null, 2)]
    : describeVerification(verification, createPalette(stdout.isTTY === true));
  stdout.write(`${lines.join("\n")}\n`);
  return verification.ok ? EXIT.ok : EXIT.below;
}
