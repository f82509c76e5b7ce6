import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { isRoot } from "../lib/install.mjs";
import { ensurePlugins } from "./plugins.mjs";
import { ensurePackage } from "./python.mjs";

const HARBOR = "0.24.0";
const TERMINAL_BENCH = "0.2.18";

/**
 * What the other harnesses are run with.
 * @typedef {object} Tools
 * @property {string} harbor
 * @property {string} terminalBench
 * @property {NodeJS.ProcessEnv} env
 */

/**
 * Sets up Harbor, Terminal-Bench and Docker's plugins that they need; each is kept by version.
 * @param {{ signal: AbortSignal }} options
 * @returns {Promise<Tools>}
 */
export async function ensureTools(options) {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const folder = isRoot() ? "/var/cache/term-run/parity" : join(cache, "term-run/parity");
  await mkdir(folder, { recursive: true });
  const plugins = await ensurePlugins(folder, options);
  const harbor = await ensurePackage(folder, "harbor", HARBOR, options);
  const terminalBench = await ensurePackage(folder, "terminal-bench", TERMINAL_BENCH, options);
  return {
    harbor: join(harbor, "harbor"),
    terminalBench: join(terminalBench, "tb"),
    env: {
      ...plugins,
      HARBOR_TELEMETRY: "0",
      // Otherwise it asks the internet for prices of models.
      LITELLM_LOCAL_MODEL_COST_MAP: "True",
    },
  };
}
