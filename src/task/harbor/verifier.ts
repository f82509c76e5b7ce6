import { existsSync } from "node:fs";
import { join } from "node:path";
import type { NetworkPolicy, Verification } from "../../interfaces/index.js";
import type { Fields } from "../fields.js";
import { hasWindowsLineEndings, unreadable } from "../text.js";
import { type Definition, makeVerifierEnvironment, readDefinition } from "./environment.js";
import { readNetwork, whereItDiffers } from "./network.js";
import { type Reading, readEnv } from "./reading.js";

const DEFAULT_TIMEOUT_SEC = 600;
const COLLECT_TIMEOUT_SEC = 60;
const SCRIPT = "test.sh";
const MODES = ["shared", "separate"] as const;
const PROCESSES = ["keep", "end"] as const;
const REWARDS = ["file", "exit-code"] as const;

/** What a verifier section says by itself. */
export interface VerifierSettings {
  timeoutSec: number | null;
  env: Record<string, string>;
  user: string | null;
  network: NetworkPolicy | null;
  mode: (typeof MODES)[number] | null;
  environment: Definition | null;
  processes: Verification["processes"] | null;
  /** Where the reward comes from. */
  reward: (typeof REWARDS)[number] | null;
  collect: Verification["collect"];
}

export function readVerifier(fields: Fields, reading: Reading): VerifierSettings {
  const mode = fields.choice("environment_mode", MODES);
  const hasEnvironment = fields.has("environment");
  if (mode === "shared" && hasEnvironment)
    throw fields.problem("environment", 'contradicts environment_mode = "shared"');
  return {
    timeoutSec: fields.amount("timeout_sec"),
    env: readEnv(fields, reading),
    user: fields.user("user"),
    network: readNetwork(fields),
    mode: mode ?? (hasEnvironment ? "separate" : null),
    environment: hasEnvironment ? readDefinition(fields.table("environment"), reading) : null,
    processes: fields.choice("processes", PROCESSES),
    reward: fields.choice("reward", REWARDS),
    collect: fields.tables("collect").map((hook) => ({
      command: hook.required("command"),
      service: hook.string("service") ?? "main",
      timeoutSec: hook.amount("timeout_sec") ?? COLLECT_TIMEOUT_SEC,
      user: hook.user("user"),
    })),
  };
}

/** A step's settings over the task's; only the time limit isn't inherited. */
export function inherit(task: VerifierSettings, step: VerifierSettings): VerifierSettings {
  return {
    timeoutSec: step.timeoutSec,
    env: { ...task.env, ...step.env },
    user: step.user ?? task.user,
    network: step.network ?? task.network,
    mode: step.mode ?? task.mode,
    environment: step.environment ?? task.environment,
    processes: step.processes ?? task.processes,
    reward: step.reward ?? task.reward,
    collect: [...task.collect, ...step.collect],
  };
}

/** `testDirs` become /tests, later ones over earlier ones. */
export function makeVerification(
  settings: VerifierSettings,
  testDirs: string[],
  agents: Definition,
  reading: Reading,
): Verification {
  const { timeoutSec, env, user, collect } = settings;
  const definition = settings.environment ?? agents;
  const separate =
    settings.mode === "separate"
      ? makeVerifierEnvironment(definition, testDirs.at(-1) as string, agents, reading)
      : null;
  // An image for the verifier brings its own /tests.
  const uploaded = separate === null || separate.source.kind === "portable";
  return {
    timeoutSec: timeoutSec ?? DEFAULT_TIMEOUT_SEC,
    env,
    user,
    network: whereItDiffers(settings.network, (separate ?? agents).network),
    tests: uploaded ? testDirs.map((dir) => ({ dir, only: null })) : [],
    script: SCRIPT,
    parser: settings.reward === "exit-code" ? "exit-code" : "reward",
    separate,
    processes: settings.processes ?? "keep",
    sameShell: false,
    collect,
  };
}

/** A verifier that uploads its tests needs the script that runs them. */
export function checkTests(
  { tests, separate }: Verification,
  reading: Reading,
  folder = "tests",
): void {
  if (separate !== null && tests.length === 0) return;
  const home = tests.findLast(({ dir }) => existsSync(join(dir, SCRIPT)));
  if (!home)
    throw unreadable(
      `${reading.dir}: ${folder}/${SCRIPT} is missing: nothing could verify the result`,
    );
  const script = join(home.dir, SCRIPT);
  if (hasWindowsLineEndings(script))
    reading.warnings.push(
      `${script.slice(reading.dir.length + 1)} has Windows line endings; the kernel will not find its interpreter`,
    );
}
