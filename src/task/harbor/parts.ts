import { join } from "node:path";
import type { NetworkPolicy, Task, TaskPart } from "../../interfaces/index.js";
import type { Fields } from "../fields.js";
import { readInstruction } from "../instruction.js";
import { isFolder } from "../text.js";
import { readArtifacts } from "./artifacts.js";
import { type Definition, readHealthcheck } from "./environment.js";
import { readNetwork, whereItDiffers } from "./network.js";
import type { Reading } from "./reading.js";
import { readSolution } from "./solution.js";
import {
  checkTests,
  inherit,
  makeVerification,
  readVerifier,
  type VerifierSettings,
} from "./verifier.js";

/** What every step starts from. */
export interface Root {
  task: Task;
  agent: AgentSettings;
  verifier: VerifierSettings;
  definition: Definition;
  solutionEnv: Record<string, string>;
  testsDir: string;
}

export interface AgentSettings {
  timeoutSec: number | null;
  user: string | null;
  network: NetworkPolicy | null;
}

export function readAgent(fields: Fields): AgentSettings {
  return {
    timeoutSec: fields.amount("timeout_sec"),
    user: fields.user("user"),
    network: readNetwork(fields),
  };
}

export function readParts(steps: Fields[], root: Root, reading: Reading): TaskPart[] {
  const names = new Set<string>();
  return steps.map((fields) => {
    const name = fields.required("name");
    if (/[/\\]|^\.+$/.test(name))
      throw fields.wrong("name", "the name of a folder in steps/", name);
    if (names.has(name))
      throw fields.problem("name", `is ${name}, which is another step's name too`);
    names.add(name);
    return readPart(name, fields, root, reading);
  });
}

function readPart(name: string, fields: Fields, root: Root, reading: Reading): TaskPart {
  const dir = join(reading.dir, "steps", name);
  const agent = readAgent(fields.table("agent"));
  const testDirs = [root.testsDir, join(dir, "tests")].filter(isFolder);
  const verifier = makeVerification(
    inherit(root.verifier, readVerifier(fields.table("verifier"), reading)),
    testDirs.length > 0 ? testDirs : [root.testsDir],
    root.definition,
    reading,
  );
  if (!root.definition.windows) checkTests(verifier, reading, `steps/${name}/tests`);
  const { task } = root;
  const part: Task = {
    name,
    dir: task.dir,
    instruction: readInstruction(join(dir, "instruction.md")),
    get digest() {
      return task.digest;
    },
    metadata: task.metadata,
    agentTimeoutSec: agent.timeoutSec ?? root.agent.timeoutSec,
    agentUser: agent.user ?? root.agent.user,
    agentNetwork: whereItDiffers(agent.network ?? root.agent.network, task.environment.network),
    verifier,
    environment: task.environment,
    solution: readSolution(join(dir, "solution"), root.solutionEnv, reading) ?? task.solution,
    artifacts: [...task.artifacts, ...readArtifacts(fields)],
    parts: null,
    warnings: [],
    unsupported: null,
  };
  const workdir = join(dir, "workdir");
  return {
    task: part,
    filesDir: isFolder(workdir) ? workdir : null,
    healthcheck: readHealthcheck(fields),
    minReward: readMinReward(fields),
  };
}

/** One number is for the reward called `reward`. */
function readMinReward(fields: Fields): Record<string, number> | null {
  const value = fields.raw("min_reward");
  if (value === undefined) return null;
  if (typeof value === "number") return { reward: value };
  const least = typeof value === "object" ? fields.table("min_reward").all() : null;
  if (least === null) throw fields.wrong("min_reward", "a number or a table of numbers", value);
  for (const [key, number] of Object.entries(least))
    if (typeof number !== "number") throw fields.wrong(["min_reward", key], "a number", number);
  return least as Record<string, number>;
}
