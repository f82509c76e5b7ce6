import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";
import { DEFAULT_IMAGE, SANDBOX_CHOICES } from "../sandbox/index.js";
import { type ArtifactLimitFlags, addArtifactLimitOption } from "./artifact-limits.js";
import type { BaselineFlags } from "./baseline.js";
import { addLimitOptions, type LimitFlags } from "./limits.js";
import { collect, probability, share, wholeNumber } from "./options.js";
import { addRegistryOption, type RegistryFlags } from "./registries.js";
import { REPORTER_HELP, type ReporterFlags } from "./reporters.js";
import type { ShardFlags } from "./shard.js";

export interface RunFlags
  extends ArtifactLimitFlags,
    BaselineFlags,
    LimitFlags,
    RegistryFlags,
    ReporterFlags,
    ShardFlags {
  agent?: string;
  sandbox: string;
  image: string;
  harden?: boolean;
  strict?: boolean;
  attempts: number;
  concurrency: number;
  include?: string[];
  exclude?: string[];
  skipUnreadable?: boolean;
  env?: string[];
  trustAgent?: boolean;
  out?: string;
  resume?: string;
  retries: number;
  keep?: boolean;
  dryRun?: boolean;
  failUnder?: number;
}

export const TRUST_HELP = "let the agent see tests, results and other processes of this machine";

/** Where commands run: the same for every command that needs a sandbox. */
export function addSandboxOptions(command: Command, what: string): Command {
  return command
    .addOption(new Option("-s, --sandbox <kind>", what).choices(SANDBOX_CHOICES).default("auto"))
    .option("--image <image>", "Docker image for tasks that bring none", DEFAULT_IMAGE)
    .option("--harden", "fewer privileges than Docker's default: no sudo, no ping, no mknod");
}

export function addConcurrencyOption(command: Command): Command {
  return command.option(
    "-c, --concurrency <n>",
    "trials to run at the same time",
    wholeNumber(1),
    Math.max(1, Math.floor(availableParallelism() / 2)),
  );
}

/** All options of a run. */
export function addRunOptions(command: Command): Command {
  command.option(
    "-a, --agent <agent>",
    "a program, script or folder, a command line in quotes, or oracle, nop",
    oneAgent,
  );
  addSandboxOptions(command, "where commands run");
  command.option("-n, --attempts <n>", "trials for each task", wholeNumber(1), 1);
  addRegistryOption(addConcurrencyOption(command))
    .option("-i, --include <glob>", "only tasks whose name matches (repeatable)", collect)
    .option("-x, --exclude <glob>", "skip tasks whose name matches (repeatable)", collect)
    .option("--skip-unreadable", "leave out tasks that can't be read, with a warning for each")
    .option("--shard <n/of>", "run only this share of the trials, such as 3/8")
    .option("--timings <folder>", "balance shards by the durations of this run")
    .option("-e, --env <name[=value]>", "pass this variable to the agent (repeatable)", collect)
    .option("--trust-agent", TRUST_HELP)
    .option("-o, --out <folder>", "folder for results (default: runs/<time>-<agent>)")
    .option("--resume <folder>", "finish a run: keep its results, run the other trials");
  return addArtifactLimitOption(addLimitOptions(command))
    .option("--retries <n>", "tries again after an infrastructure error", wholeNumber(0), 1)
    .option("--strict", "verify every pass a second time, without the agent's processes")
    .option("--keep", "keep the sandboxes for inspection")
    .option("--dry-run", "show what would run, be skipped or warned about, and stop")
    .option("--fail-under <share>", "exit 1 when the pass rate is lower", share)
    .option(
      "--baseline <folder>",
      "exit 1 when worse than this run (repeatable: taken together)",
      collect,
    )
    .option("--alpha <p>", "how often chance may be taken for worse (default: 0.05)", probability)
    .option("--max-drop <share>", "exit 1 when the pass rate dropped by more than this", share)
    .option("-q, --quiet", "print only the totals")
    .option("-v, --verbose", "print commands and the agent's stderr")
    .option("--reporter <names>", REPORTER_HELP, collect)
    .option("--json", "print the events as JSON lines, nothing else");
}

/** The last of several would silently win. */
function oneAgent(spec: string, before: string | undefined): string {
  if (before === undefined) return spec;
  throw new InvalidArgumentError(
    `A run has one agent, and ${before} was already given. Run each agent separately, then: term-run compare RUN RUN`,
  );
}
