import type { Command } from "commander";
import { type AgentEnvironment, filterEnvironment, findAgent } from "../agent/index.js";
import type { RunSummary, StoredRun } from "../events/index.js";
import type { Agent, SandboxProvider } from "../interfaces/index.js";
import { type Run, startRun } from "../runner/index.js";
import { openProvider } from "../sandbox/index.js";
import { passesBaseline, readBaselines } from "./baseline.js";
import { dryRun } from "./dry-run.js";
import { EXIT } from "./exit-codes.js";
import { listenForInterrupt } from "./interrupt.js";
import { openRunLeash } from "./leash.js";
import { TASKS_HELP } from "./registries.js";
import { openReporters } from "./reporters.js";
import { readResumedSettings } from "./resume.js";
import { openRunFolder } from "./run-folder.js";
import { addRunOptions, type RunFlags } from "./run-options.js";
import {
  listNotices,
  listTaskWarnings,
  type RunSettings,
  readSettings,
  withAgent,
} from "./run-settings.js";
import { readVersion } from "./version.js";

export const EXAMPLES = `
Examples:
  term-run tasks/ --agent ./my-agent.py              every task, once
  term-run tasks/hello-world --agent oracle          does the task's own solution pass?
  term-run tasks/ --agent "python3 -m my_agent" --attempts 5 --concurrency 8
  term-run tasks/ --agent ./my-agent --env OPENAI_API_KEY --fail-under 80%
  term-run tasks/ --agent ./my-agent --baseline runs/main
  term-run terminal-bench@2.0 --agent ./my-agent     a public dataset, fetched when needed
  term-run --resume runs/2026-01-05T09-00-00-my-agent    finish a run that was interrupted

An agent is any program that reads a JSON line on stdin and answers with one on stdout.

Exit codes: 0 the run completed; 1 below --fail-under or worse than --baseline;
2 bad usage or an unreadable task; 3 infrastructure errors remained, or a dataset can't be fetched;
130 interrupted.`;

/** \`term-run TASKS --agent AGENT\`, the command that needs no name. */
export function addRunCommand(program: Command, exit: (code: number) => void): Command {
  const command = program
    .command("run", { isDefault: true })
    .description("run an agent on tasks and score it (the default command)")
    .argument("[tasks...]", TASKS_HELP);
  return addRunOptions(command)
    .addHelpText("after", EXAMPLES)
    .action(async (paths: string[], flags: RunFlags) => {
      const isGiven = (option: string) => command.getOptionValueSource(option) === "cli";
      const { resume } = flags;
      const settings =
        resume === undefined
          ? await readSettings(paths, flags)
          : await readResumedSettings(paths, { ...flags, resume }, isGiven);
      exit(await run(settings, flags));
    });
}

async function run(settings: RunSettings, flags: RunFlags): Promise<number> {
  const environment = filterEnvironment(process.env, settings.env);
  const agent = findAgent(settings.agent.spec, environment, settings.agent.cwd);
  if (flags.dryRun) return dryRun(settings, agent, environment.unset, flags);
  const baselines = await readBaselines(flags, settings.tasks);
  const { reporter, print } = openReporters(flags);
  const interrupt = listenForInterrupt("stopping the trials");
  try {
    const run = await start(settings, agent, environment, { flags, signal: interrupt.signal });
    for await (const event of run.events()) reporter.event(event);
    return await conclude(await run.done, baselines, run.out, flags, print);
  } finally {
    await reporter.close?.();
    interrupt.stop();
  }
}

async function start(
  settings: RunSettings,
  agent: Agent,
  environment: AgentEnvironment,
  { flags, signal }: { flags: RunFlags; signal: AbortSignal },
): Promise<Run> {
  const { agent: named, env, leash: _, sandbox, image, hardened, trials, ...rules } = settings;
  const { leash, notice: unleashed } = await openRunLeash(settings);
  const { provider, notice } = await openProvider(sandbox, { defaultImage: image, hardened });
  return startRun({
    ...rules,
    out: await openRunFolder(flags, agent.name).catch(closing(provider)),
    version: readVersion(),
    agent: { name: agent.name, ...named },
    provider,
    image,
    hardened,
    ...(leash ? { leash } : {}),
    env: env.map((entry) => entry.replace(/=.*/s, "")),
    trials: withAgent(trials, agent),
    keep: flags.keep === true,
    warnings: [
      ...listNotices(settings, [unleashed, notice], environment.unset),
      ...listTaskWarnings(settings),
    ],
    secrets: environment.secrets,
    signal,
  });
}

/** Closes the provider, then rethrows the error. */
function closing(provider: SandboxProvider) {
  return async (error: unknown): Promise<never> => {
    await provider.close();
    throw error;
  };
}

async function conclude(
  summary: RunSummary,
  baselines: readonly StoredRun[],
  out: string,
  flags: RunFlags,
  print: (line: string) => void,
): Promise<number> {
  if (summary.interrupted) return EXIT.interrupted;
  const passes = baselines.length === 0 || (await passesBaseline(baselines, out, flags, print));
  if (summary.outcomes.infra_error > 0) return EXIT.infra;
  const { failUnder } = flags;
  if (failUnder !== undefined && (summary.pass_rate.value ?? 0) < failUnder) return EXIT.below;
  return passes ? EXIT.ok : EXIT.below;
}
