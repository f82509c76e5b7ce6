import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { BUILTIN_AGENTS } from "../agent/index.js";
import {
  createPalette,
  describeLeaderboard,
  writeLeaderboardCsv,
  writeLeaderboardHtml,
  writeLeaderboardMarkdown,
} from "../report/index.js";
import { type Leaderboard, rankAgents } from "../score/index.js";
import { readSubmittedRuns } from "../submission/index.js";
import { EXIT } from "./exit-codes.js";
import { wholeNumber } from "./options.js";

interface LeaderboardFlags {
  minAttempts: number;
  allowMixed?: boolean;
  builtin?: boolean;
  out?: string;
  json?: boolean;
}

const PLAIN_COLUMNS = 120;

const NOTES = `
Examples:
  term-run leaderboard runs/
  term-run leaderboard submissions/ --min-attempts 5 --out site/
  term-run leaderboard runs/a runs/b --json | jq '.boards[].entries[] | {rank, agent}'

All runs of one agent (the same name, command line and models) are taken together, and a run that
was given twice counts once. Agents are listed by pass rate. A rank such as 1–2 is a range: pairwise
tests don't show which place it is. Runs with other tasks or rules are ranked in a table of their own.

--out writes leaderboard.md, leaderboard.csv, leaderboard.json and index.html.

Exit codes: 0 done; 2 bad usage.`;

/** \`term-run leaderboard RUNS_DIR...\`: who is ahead, as far as the data shows. */
export function addLeaderboardCommand(program: Command, exit: (code: number) => void): void {
  program
    .command("leaderboard")
    .description("rank the agents of several runs")
    .argument("<folders...>", "runs, submissions, or folders of them")
    .option("--min-attempts <n>", "scored trials that every task must have", wholeNumber(1), 1)
    .option("--allow-mixed", "one table even if tasks, versions or limits differ, with a note")
    .option("--builtin", "rank oracle and nop too")
    .option("-o, --out <folder>", "write Markdown, CSV, JSON and an HTML page there")
    .option("--json", "print one JSON document, nothing else")
    .addHelpText("after", NOTES)
    .action(async (paths: string[], flags: LeaderboardFlags) => exit(await rank(paths, flags)));
}

async function rank(paths: string[], flags: LeaderboardFlags): Promise<number> {
  const board = rankAgents(await readSubmittedRuns(paths), {
    minAttempts: flags.minAttempts,
    allowMixed: flags.allowMixed === true,
    builtin: flags.builtin ? new Set() : new Set(BUILTIN_AGENTS.keys()),
  });
  if (flags.out !== undefined) await writeBoard(board, resolve(flags.out));
  const { stdout } = process;
  const lines = flags.json
    ? [JSON.stringify(board, null, 2)]
    : describeLeaderboard(
        board,
        stdout.columns ?? PLAIN_COLUMNS,
        createPalette(stdout.isTTY === true),
      );
  stdout.write(`${lines.join("\n")}\n`);
  return EXIT.ok;
}

async function writeBoard(board: Leaderboard, dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, "leaderboard.md"), writeLeaderboardMarkdown(board));
  await writeFile(join(dir, "leaderboard.csv"), writeLeaderboardCsv(board));
  await writeFile(join(dir, "leaderboard.json"), `${JSON.stringify(board, null, 2)}\n`);
  await writeFile(join(dir, "index.html"), writeLeaderboardHtml(board));
}
