/** Opens a container that can't start, and then has nothing left to do. Arguments: image, workdir. */
import { messageOf } from "../../../src/errors.js";
import { makeTask, openSandbox, watchdog } from "../kinds.js";

const [, , image = "", workdir = ""] = process.argv;
const kind = { name: "docker", kind: "docker" as const, image, bash: true };
await openSandbox(kind, makeTask({ workdir })).then(
  () => console.log("started"),
  (error) => console.log(`failed: ${messageOf(error)}`),
);
watchdog.dismiss();
