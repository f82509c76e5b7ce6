// Runs every test, on a real Docker engine, bubblewrap and browser; sets up what is missing.
import { ensureBubblewrap } from "./lib/bubblewrap.mjs";
import { ensureChromium } from "./lib/chromium.mjs";
import { ensureEngine } from "./lib/engine.mjs";
import { SetupError } from "./lib/errors.mjs";
import { ensureImages } from "./lib/images.mjs";
import { ensurePrograms } from "./lib/install.mjs";
import { notice } from "./lib/log.mjs";
import { runScript } from "./lib/main.mjs";
import { build, projectFolder } from "./lib/project.mjs";
import { missingSdkTools, runSdkSuites } from "./lib/sdk-suites.mjs";
import { runInForeground } from "./lib/signals.mjs";

/** Arguments go to vitest: `npm test -- tests/runner` runs only these. */
const onlySome = process.argv.length > 2;

await runScript(test, 1);

/** @param {{ signal: AbortSignal, release: () => void }} options */
async function test(options) {
  await build(options);
  /** @type {(() => Promise<void>)[]} */
  const stops = [];
  try {
    const skipped = [
      ...(await trySetup("Docker", "TERM_RUN_TEST_DOCKER", async () => {
        stops.push(await ensureEngine(options));
        await ensureImages(options);
      })),
      ...(await trySetup("bubblewrap", "TERM_RUN_TEST_BWRAP", () => ensureBubblewrap(options))),
      ...(await trySetup("browser", "TERM_RUN_TEST_BROWSER", () => ensureChromium(options))),
      ...(await trySetup("cast", "TERM_RUN_TEST_CASTS", () =>
        ensurePrograms(["asciinema"], options),
      )),
      ...(onlySome ? [] : missingSdkTools()),
    ];
    if (skipped.length > 0) notice(skipped);
    if (skipped.length > 0 && process.env.CI === "true") {
      throw new SetupError("CI=true: no suite may be skipped, so this is a failure.");
    }
    const code = await runTests(options);
    if (skipped.length > 0) notice(skipped);
    return code;
  } finally {
    for (const stop of stops) await stop();
  }
}

/**
 * Does the set-up; if it fails, makes the tests skip what needs it and returns lines that say so.
 * @param {string} name
 * @param {string} variable
 * @param {() => Promise<void>} setUp
 */
async function trySetup(name, variable, setUp) {
  try {
    if (process.env[variable] === "skip") throw new SetupError(`${variable}=skip is set`);
    await setUp();
    return [];
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.env[variable] = "skip";
    return [`THE ${name.toUpperCase()} SUITES ARE SKIPPED. Why:`, ...error.message.split("\n")];
  }
}

/** @param {{ signal: AbortSignal, release: () => void }} options */
async function runTests({ signal, release }) {
  signal.throwIfAborted();
  release();
  const args = ["run", ...process.argv.slice(2)];
  const code = await runInForeground("vitest", args, { cwd: projectFolder });
  if (onlySome) return code;
  const sdkCode = await runSdkSuites();
  return code || sdkCode;
}
