/** Runs each argument as a command in one bubblewrap sandbox; prints what came of them as JSON. */
import { runInBubblewrap } from "../bubblewrap.js";

const results = await runInBubblewrap(process.argv.slice(2));
process.stdout.write(JSON.stringify(results));
