import { messageOf, TermRunError } from "../errors.js";
import type { Agent, SandboxProvider } from "../interfaces/index.js";
import { createPalette, describeForecast } from "../report/index.js";
import { type Forecast, forecastRun } from "../runner/index.js";
import { openProvider } from "../sandbox/index.js";
import { EXIT } from "./exit-codes.js";
import type { RunFlags } from "./run-options.js";
import { listNotices, type RunSettings, withAgent } from "./run-settings.js";

const PLAIN_COLUMNS = 120;

/** `--dry-run`: what the run would do with each task, without doing it. */
export async function dryRun(
  settings: RunSettings,
  agent: Agent,
  unset: readonly string[],
  { json }: RunFlags,
): Promise<number> {
  const { provider, notice } = await openIfAvailable(settings);
  try {
    const forecast = forecastRun(withAgent(settings.trials, agent), {
      agent,
      provider,
      unreadable: settings.unreadable,
      warnings: listNotices(settings, [notice], unset),
    });
    print(forecast, json === true);
    return EXIT.ok;
  } finally {
    await provider?.close();
  }
}

/** Most of what a dry run shows doesn't depend on the sandbox. */
async function openIfAvailable({
  sandbox,
  image,
  hardened,
}: RunSettings): Promise<{ provider: SandboxProvider | null; notice: string | null }> {
  try {
    return await openProvider(sandbox, { defaultImage: image, hardened });
  } catch (error) {
    if (!(error instanceof TermRunError) || error.code !== "sandbox_unavailable") throw error;
    return { provider: null, notice: `what the sandbox refuses isn't known: ${messageOf(error)}` };
  }
}

function print(forecast: Forecast, json: boolean): void {
  const { stdout } = process;
  const palette = createPalette(stdout.isTTY === true);
  const lines = json
    ? [JSON.stringify(forecast, null, 2)]
    : describeForecast(forecast, stdout.columns || PLAIN_COLUMNS, palette);
  stdout.write(`${lines.join("\n")}\n`);
}
