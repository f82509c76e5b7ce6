/** Opens a bubblewrap sandbox, runs a command in it, says so, and lives until it is killed. */
import { openBubblewrap, options } from "../bubblewrap.js";

const [, , command = ""] = process.argv;
const sandbox = await openBubblewrap();
const { output } = await sandbox.run(command, options);
process.stdout.write(`${JSON.stringify({ folder: sandbox.id, output })}\n`);
setInterval(() => {}, 60_000);
