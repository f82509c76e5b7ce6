import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { SetupError } from "../lib/errors.mjs";
import { findProgram } from "../lib/install.mjs";
import { lastLines, timed } from "../lib/log.mjs";

const BUILD_TIMEOUT_MS = 60 * 60_000;

/** What `docker` has to know for Harbor and Terminal-Bench, and how it is built from source. */
const PLUGINS = [
  {
    name: "compose",
    module: "github.com/docker/compose/v2",
    version: "v2.40.3",
    program: "./cmd",
    versionVariable: "github.com/docker/compose/v2/internal.Version",
  },
  {
    name: "buildx",
    module: "github.com/docker/buildx",
    version: "v0.29.1",
    program: "./cmd/buildx",
    versionVariable: "github.com/docker/buildx/version.Version",
  },
];

/**
 * Makes sure that docker has its plugins; those that are missing are built into a private folder.
 * @param {string} cache
 * @param {{ signal: AbortSignal }} options
 * @returns {Promise<NodeJS.ProcessEnv>} what docker has to be run with
 */
export async function ensurePlugins(cache, options) {
  if (!findProgram("docker"))
    throw new SetupError("Harbor needs the command docker: install Docker's command line");
  /** @type {NodeJS.ProcessEnv} */
  let env = {};
  for (const plugin of PLUGINS) {
    if (await isKnown(plugin.name, {})) continue;
    const config = join(cache, "docker");
    const file = join(config, "cli-plugins", `docker-${plugin.name}`);
    const versioned = join(cache, `${plugin.name}-${plugin.version}`);
    if (!existsSync(versioned)) await buildPlugin(plugin, versioned, options);
    await mkdir(join(config, "cli-plugins"), { recursive: true });
    await link(versioned, file);
    env = { DOCKER_CONFIG: config };
    if (!(await isKnown(plugin.name, env)))
      throw new SetupError(`docker ${plugin.name} doesn't run, although ${file} is there`);
  }
  return env;
}

/** @param {string} name @param {NodeJS.ProcessEnv} env */
async function isKnown(name, env) {
  const { failed } = await execa("docker", [name, "version"], { env, reject: false });
  return !failed;
}

/** @param {string} target @param {string} file */
async function link(target, file) {
  await rm(file, { force: true });
  await execa("ln", ["-s", target, file]);
}

/**
 * `go install` refuses modules with exclusions, so they are built in their own source folder.
 * @param {typeof PLUGINS[number]} plugin
 * @param {string} file
 * @param {{ signal: AbortSignal }} options
 */
async function buildPlugin({ name, module, version, program, versionVariable }, file, { signal }) {
  if (!findProgram("go"))
    throw new SetupError(
      `docker ${name} is missing, and so is Go to build it: install docker-${name}, or Go`,
    );
  await timed(`building docker ${name} ${version}`, async () => {
    const found = await go(["mod", "download", "-json", `${module}@${version}`], "/");
    const { Dir } = /** @type {{ Dir: string }} */ (JSON.parse(found));
    const flags = `-s -w -X ${versionVariable}=${version}`;
    await go(["build", "-trimpath", "-ldflags", flags, "-o", `${file}.new`, program], Dir);
    await rename(`${file}.new`, file);
  });

  /** @param {string[]} args @param {string} cwd */
  async function go(args, cwd) {
    const result = await execa("go", args, {
      cwd,
      env: { CGO_ENABLED: "0", GOFLAGS: "-buildvcs=false" },
      reject: false,
      stdin: "ignore",
      timeout: BUILD_TIMEOUT_MS,
      cancelSignal: signal,
    });
    signal.throwIfAborted();
    if (result.failed) {
      const output = lastLines(result.stderr || result.shortMessage);
      throw new SetupError(`go ${args.join(" ")} failed:\n${output}`);
    }
    return result.stdout;
  }
}
