import { SetupError } from "./errors.mjs";
import { abortOnSignals, Interrupted } from "./signals.mjs";

/**
 * Runs a script and sets its exit code. `release` hands Ctrl-C over to a program in the foreground.
 * @param {(options: { signal: AbortSignal, release: () => void }) => Promise<number>} script
 * @param {number} setupExitCode the exit code when the machine can't be set up
 */
export async function runScript(script, setupExitCode) {
  try {
    process.exitCode = await script(abortOnSignals());
  } catch (error) {
    if (error instanceof Interrupted) {
      process.exitCode = error.exitCode;
    } else if (error instanceof SetupError) {
      console.error(`\n${error.message}`);
      process.exitCode = setupExitCode;
    } else {
      throw error;
    }
  }
}
