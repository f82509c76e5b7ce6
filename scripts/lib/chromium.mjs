import { execa } from "execa";
import { SetupError } from "./errors.mjs";
import { ensurePrograms, findProgram } from "./install.mjs";

/** A browser for the tests of the HTML report. @param {{ signal: AbortSignal }} options */
export async function ensureChromium(options) {
  await ensurePrograms(["chromium"], options);
  const result = await execa(findProgram("chromium") ?? "chromium", ["--version"], {
    reject: false,
    timeout: 30_000,
    stdin: "ignore",
  });
  if (result.failed) throw new SetupError(`chromium does not start: ${result.shortMessage}`);
}
