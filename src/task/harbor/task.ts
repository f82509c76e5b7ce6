import { basename, join } from "node:path";
import type { Task } from "../../interfaces/index.js";
import { lazyDigest } from "../digest.js";
import { readToml } from "../document.js";
import { Fields, type Table } from "../fields.js";
import { readInstruction } from "../instruction.js";
import { isFolder } from "../text.js";
import { readArtifacts } from "./artifacts.js";
import { makeEnvironment, readDefinition } from "./environment.js";
import { whereItDiffers } from "./network.js";
import { readAgent, readParts } from "./parts.js";
import { type Reading, readSolutionEnv } from "./reading.js";
import { readSolution } from "./solution.js";
import { checkTests, makeVerification, readVerifier } from "./verifier.js";

const SCORED = ["task.toml", "instruction.md", "environment", "tests", "solution", "steps"];
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)?$/;
/** TOML puts these into whatever table precedes them. */
const ROOT_ONLY = new Set(["schema_version", "artifacts", "multi_step_reward_strategy"]);
const STRATEGIES = ["mean", "final"] as const;

/** Reads a task folder in the Harbor layout, schema 1.0 to 1.4. */
export function readHarborTask(dir: string): Task {
  const fields = Fields.of(readToml(join(dir, "task.toml")));
  const reading: Reading = { dir, warnings: [], unsupported: [] };
  const digest = lazyDigest(dir, SCORED);
  const identity = readIdentity(fields, reading);
  const agent = readAgent(fields.table("agent"));
  const definition = readDefinition(fields.table("environment"), reading);
  const environment = makeEnvironment(definition, reading);
  const verifier = readVerifier(fields.table("verifier"), reading);
  const solutionEnv = readSolutionEnv(fields.table("solution"), reading);
  const steps = fields.tables("steps");
  const strategy = fields.choice("multi_step_reward_strategy", STRATEGIES) ?? "mean";
  const single = steps.length === 0;
  const testsDir = join(dir, "tests");
  const task: Task = {
    ...identity,
    dir,
    instruction: single ? readInstruction(join(dir, "instruction.md")) : "",
    get digest() {
      return digest();
    },
    agentTimeoutSec: agent.timeoutSec,
    agentUser: agent.user,
    agentNetwork: whereItDiffers(agent.network, environment.network),
    verifier: makeVerification(
      single ? verifier : { ...verifier, mode: "shared" },
      single || isFolder(testsDir) ? [testsDir] : [],
      definition,
      reading,
    ),
    environment,
    solution: readSolution(join(dir, "solution"), solutionEnv, reading),
    artifacts: readArtifacts(fields),
    parts: null,
    warnings: [],
    unsupported: null,
  };
  if (single && !definition.windows) checkTests(task.verifier, reading);
  const root = { task, agent, verifier, definition, solutionEnv, testsDir };
  if (!single) task.parts = { strategy, list: readParts(steps, root, reading) };
  task.warnings = [...new Set([...reading.warnings, ...fields.unknown(ROOT_ONLY)])];
  task.unsupported = [...new Set(reading.unsupported)].join("; ") || null;
  return task;
}

/** Name and metadata, the package section's included. */
function readIdentity(fields: Fields, reading: Reading): Pick<Task, "name" | "metadata"> {
  fields.ignore("schema_version", "version");
  const source = fields.string("source");
  const section = fields.table("task");
  const name = section.string("name");
  if (name !== null && (!NAME.test(name) || name.includes("..")))
    throw section.wrong("name", "org/name", name);
  if (fields.has("task") && !name?.includes("/"))
    reading.warnings.push(section.warning("name", "should be org/name"));
  const metadata = fields.table("metadata");
  const given = metadata.all();
  for (const key of ROOT_ONLY)
    if (key in given)
      reading.warnings.push(
        metadata.warning(key, "has no effect here: it must come before the first [table]"),
      );
  return {
    name: name ?? basename(reading.dir),
    metadata: { ...packageMetadata(section), ...(source === null ? {} : { source }), ...given },
  };
}

function packageMetadata(section: Fields): Table {
  const authors = section.tables("authors").map((author) => {
    const name = author.required("name");
    const email = author.string("email");
    return email === null ? { name } : { name, email };
  });
  const version = section.has("version") ? section.required("version") : null;
  const found = {
    version,
    description: section.string("description"),
    authors,
    keywords: section.list("keywords"),
  };
  return Object.fromEntries(
    Object.entries(found).filter(([, value]) => value !== null && value.length > 0),
  );
}
