/** Connects a terminal to a sandbox, as `term-run try` does. Arguments: kind, image. */
import { spawnSync } from "node:child_process";
import { messageOf } from "../../../src/errors.js";
import { attachPerson } from "../../../src/sandbox/attach.js";
import { KINDS, openSandbox, watchdog } from "../kinds.js";

const kind = KINDS.find(({ name }) => name === process.argv[2]);
if (!kind) throw new Error(`there is no ${process.argv[2]}`);
const controller = new AbortController();
process.once("SIGUSR1", () => controller.abort(new Error("stopped")));

const settings = () =>
  spawnSync("stty", ["-g"], { stdio: ["inherit", "pipe", "inherit"] }).stdout.toString();

const before = settings();
const sandbox = await openSandbox(kind);
try {
  await sandbox.run("mkdir -p 'a b'; cd 'a b'", { timeoutMs: 30_000, signal: controller.signal });
  console.log("attaching");
  const end = await attachPerson(sandbox, process, controller.signal).then(
    (exitCode) => `exit code ${exitCode}`,
    (error) => `error ${messageOf(error)}`,
  );
  console.log(`left with ${end}, terminal ${settings() === before ? "restored" : "changed"}`);
} finally {
  await sandbox.close();
  watchdog.dismiss();
}
