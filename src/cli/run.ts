import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { type Command, Option } from "commander";
import { chooseAgent } from "../agent/choose.js";
import { filterEnvironment } from "../agent/environment.js";
import type { RunSummary, SandboxKind } from "../events/records.js";
import { makeRedactor } from "../events/redact.js";
import { watchdog } from "../process/watchdog.js";
import { runJob } from "../runner/job.js";
import { type PlannedTrial, planTrials, selectTasks } from "../runner/plan.js";
import { chooseSandbox, DEFAULT_IMAGE } from "../sandbox/choose.js";
import { findTasks } from "../task/find.js";
import { type BaselineFlags, holdsAgainst, readBaseline } from "./baseline.js";
import { EXIT } from "./exit-codes.js";
import { listenForInterrupt } from "./interrupt.js";
import { addLimitOptions, type LimitFlags, limitsOf } from "./limits.js";
import { collect, probability, share, wholeNumber } from "./options.js";
import { readVersion } from "./program.js";
import { openReporters, REPORTER_HELP, type ReporterFlags } from "./reporters.js";
import { openRunFolder } from "./run-folder.js";
import { pickShard, type ShardFlags } from "./shard.js";

interface RunFlags extends BaselineFlags, LimitFlags, ReporterFlags, ShardFlags {
  agent: string;
  sandbox: SandboxKind | "auto";
  image: string;
  attempts: number;
  concurrency: number;
  include?: string[];
  exclude?: string[];
  env?: string[];
  out?: string;
  resume?: string;
  retries: number;
  keep?: boolean;
  dryRun?: boolean;
  failUnder?: number;
}

export const EXAMPLES = `
Examples:
  term-run tasks/ --agent ./my-agent.py              every task, once
  term-run tasks/hello-world --agent oracle          does the task's own solution pass?
  term-run tasks/ --agent "python3 -m my_agent" --attempts 5 --concurrency 8
  term-run tasks/ --agent ./my-agent --env OPENAI_API_KEY --fail-under 80%
  term-run tasks/ --agent ./my-agent --baseline runs/main
  term-run tasks/ --agent ./my-agent --resume runs/2026-01-05T09-00-00-my-agent

An agent is any program that reads a JSON line on stdin and answers with one on stdout.

Exit codes: 0 the run completed; 1 below --fail-under or worse than --baseline;
2 bad usage or an unreadable task; 3 infrastructure errors remained; 130 interrupted.`;

/** \`term-run TASKS --agent AGENT\`, the command that needs no name. */
export function addRunCommand(program: Command, exit: (code: number) => void): Command {
  const command = program
    .command("run", { isDefault: true })
    .description("run an agent on tasks and score it (the command when none is named)")
    .argument("<tasks...>", "task folders, or folders of tasks")
    .requiredOption(
      "-a, --agent <agent>",
      "a program, script or folder, a command line in quotes, or oracle, nop",
    )
    .addOption(
      new Option("-s, --sandbox <kind>", "where commands run")
        .choices(["auto", "docker", "bubblewrap", "local"])
        .default("auto"),
    )
    .option("--image <image>", "Docker image for tasks that bring none", DEFAULT_IMAGE)
    .option("-n, --attempts <n>", "trials for each task", wholeNumber(1), 1)
    .option(
      "-c, --concurrency <n>",
      "trials at the same time",
      wholeNumber(1),
      Math.max(1, Math.floor(availableParallelism() / 2)),
    )
    .option("-i, --include <glob>", "only tasks whose name matches (repeatable)", collect)
    .option("-x, --exclude <glob>", "no task whose name matches (repeatable)", collect)
    .option("--shard <part/of>", "only this part of the trials, such as 3/8")
    .option("--timings <folder>", "balance shards by the times of this run")
    .option("-e, --env <name[=value]>", "let the agent see this variable (repeatable)", collect)
    .option("-o, --out <folder>", "where results go (default: runs/<time>-<agent>)")
    .option("--resume <folder>", "go on with a run: finished trials stay, the rest runs");
  return addLimitOptions(command)
    .option("--retries <n>", "tries again after an infrastructure error", wholeNumber(0), 1)
    .option("--keep", "leave the sandboxes for a look")
    .option("--dry-run", "list the trials and stop")
    .option("--fail-under <share>", "exit 1 when the pass rate is lower", share)
    .option("--baseline <folder>", "exit 1 when worse than this run, and not by chance")
    .option("--alpha <p>", "how often chance may be taken for worse (default: 0.05)", probability)
    .option("--max-drop <share>", "exit 1 when the pass rate fell further than this", share)
    .option("-q, --quiet", "print only the totals")
    .option("-v, --verbose", "print commands and the agent's stderr")
    .option("--reporter <names>", REPORTER_HELP, collect)
    .option("--json", "print the events as JSON lines, nothing else")
    .addHelpText("after", EXAMPLES)
    .action(async (paths: string[], flags: RunFlags) => exit(await run(paths, flags)));
}

async function run(paths: string[], flags: RunFlags): Promise<number> {
  const environment = filterEnvironment(process.env, flags.env ?? []);
  const redact = makeRedactor(environment.secrets);
  const agent = chooseAgent(flags.agent, environment, redact);
  const tasks = selectTasks(await findTasks(paths), flags.include ?? [], flags.exclude ?? []);
  const part = await pickShard(planTrials(tasks, flags.attempts), flags);
  if (flags.dryRun) return listTrials(part.trials);
  const baseline = await readBaseline(flags, tasks);
  const { reporter, print } = openReporters(flags);
  const interrupt = listenForInterrupt(() =>
    process.stderr.write("\nterm-run: ending the trials; press Ctrl-C again to stop at once\n"),
  );
  try {
    const provider = await chooseSandbox(flags.sandbox, {
      defaultImage: flags.image,
      outputLimit: flags.outputLimit,
    });
    const out = await openRunFolder(flags, agent.name);
    const summary = await runJob({
      run: basename(out),
      out,
      version: readVersion(),
      agent,
      agentSpec: flags.agent,
      provider,
      ...part,
      limits: limitsOf(flags),
      gradeTimeouts: flags.gradeTimeouts === true,
      concurrency: flags.concurrency,
      retries: flags.retries,
      keep: flags.keep === true,
      warnings: [
        ...environment.unset.map((name) => `--env ${name}: there is no such variable here`),
        ...tasks.flatMap(({ name, warnings }) => warnings.map((text) => `${name}: ${text}`)),
      ],
      listen: (event) => reporter.event(event),
      redact,
      signal: interrupt.signal,
    });
    await provider.close();
    const holds =
      !baseline || summary.interrupted || (await holdsAgainst(baseline, out, flags, print));
    return exitCodeOf(summary, flags.failUnder, holds);
  } finally {
    await reporter.close?.();
    interrupt.stop();
    watchdog.dismiss();
  }
}

function listTrials(trials: PlannedTrial[]): number {
  for (const { trial } of trials) process.stdout.write(`${trial}\n`);
  const count = trials.length === 1 ? "1 trial" : `${trials.length} trials`;
  process.stderr.write(`${count}; nothing was run (--dry-run)\n`);
  return EXIT.ok;
}

function exitCodeOf(
  summary: RunSummary,
  failUnder: number | undefined,
  holdsAgainstBaseline: boolean,
): number {
  if (summary.interrupted) return EXIT.interrupted;
  if (summary.outcomes.infra_error > 0) return EXIT.infra;
  if (failUnder !== undefined && (summary.pass_rate.value ?? 0) < failUnder) return EXIT.below;
  return holdsAgainstBaseline ? EXIT.ok : EXIT.below;
}
