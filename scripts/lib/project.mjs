import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { SetupError } from "./errors.mjs";
import { timed } from "./log.mjs";

/** The folder of the clone; the scripts work from any other. */
export const projectFolder = fileURLToPath(new URL("../..", import.meta.url));

/** @param {{ signal: AbortSignal }} options */
export async function build({ signal }) {
  const { failed } = await timed("building", () =>
    execa("npm", ["run", "--silent", "build"], {
      cwd: projectFolder,
      stdio: "inherit",
      reject: false,
      cancelSignal: signal,
    }),
  );
  signal.throwIfAborted();
  if (failed) throw new SetupError("the build failed");
}
