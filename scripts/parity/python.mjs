import { existsSync, readdirSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { SetupError } from "../lib/errors.mjs";
import { lastLines, timed } from "../lib/log.mjs";

const LEAST_MINOR = 12;
const MINORS = [12, 13, 14];
const INSTALL_TIMEOUT_MS = 30 * 60_000;

/**
 * Installs a package into an environment of its own, once for each version.
 * @param {string} cache
 * @param {string} name
 * @param {string} version
 * @param {{ signal: AbortSignal }} options
 * @returns {Promise<string>} the folder of its programs
 */
export async function ensurePackage(cache, name, version, { signal }) {
  const folder = join(cache, `${name}-${version}`);
  const ready = join(folder, ".ready");
  const programs = join(folder, "bin");
  if (existsSync(ready)) return programs;
  const python = await findPython();
  await timed(`installing ${name} ${version}`, async () => {
    await rm(folder, { recursive: true, force: true });
    await run(python, ["-m", "venv", folder]);
    await run(join(programs, "python"), ["-m", "pip", "install", "-q", `${name}==${version}`]);
    await writeFile(ready, "");
  });
  return programs;

  /** @param {string} file @param {string[]} args */
  async function run(file, args) {
    const result = await execa(file, args, {
      all: true,
      reject: false,
      stdin: "ignore",
      timeout: INSTALL_TIMEOUT_MS,
      cancelSignal: signal,
    });
    signal.throwIfAborted();
    if (result.failed) {
      const command = [file, ...args].join(" ");
      throw new SetupError(`${command} failed:\n${lastLines(result.all || result.shortMessage)}`);
    }
  }
}

/** The first Python that is new enough: on PATH, else one of pyenv's. */
async function findPython() {
  const names = [...MINORS.map((minor) => `python3.${minor}`), "python3"];
  for (const python of [...names, ...pyenvPythons()]) {
    const { stdout, failed } = await execa(
      python,
      ["-c", "import sys, venv; print(sys.version_info[1])"],
      { reject: false, timeout: 10_000 },
    );
    if (!failed && Number(stdout) >= LEAST_MINOR) return python;
  }
  throw new SetupError(
    `Harbor and Terminal-Bench need Python 3.${LEAST_MINOR} or later, and none was found on PATH ` +
      `or in pyenv. Install one: pyenv install 3.${LEAST_MINOR}`,
  );
}

function pyenvPythons() {
  const versions = join(process.env.PYENV_ROOT ?? join(homedir(), ".pyenv"), "versions");
  if (!existsSync(versions)) return [];
  return readdirSync(versions)
    .filter((version) => MINORS.some((minor) => version.startsWith(`3.${minor}.`)))
    .map((version) => join(versions, version, "bin/python"));
}
