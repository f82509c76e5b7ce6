// Two sessions, each with a watchdog of its own. The first one's agent completes, and its watchdog
// is dismissed; the second one's agent works until this process is killed.
import { CommandAgent } from "../../../src/agent/command/agent.js";
import { resolveAgent } from "../../../src/agent/command/resolve.js";
import { Watchdog } from "../../../src/process/watchdog.js";
import { contextFor, environmentFor, turnFor } from "../bench.js";

const [dir = "", first = "", second = ""] = process.argv.slice(2);

async function work(file: string, onWait: (pid: number) => void): Promise<Watchdog> {
  const watchdog = new Watchdog();
  const agent = new CommandAgent(resolveAgent(file), environmentFor());
  const session = await agent.open(contextFor(dir, watchdog));
  let pid = 0;
  const turn = turnFor(dir, {
    onEvent(event) {
      if (event.type === "agent_started") pid = event.pid ?? 0;
      if (event.type === "agent_stderr") onWait(pid);
    },
  });
  await session.work("Say hello", turn);
  return watchdog;
}

const waiting = new Promise<number>((resolve) => void work(second, resolve));
const watchdog = await work(first, () => {});
const pid = await waiting;
watchdog.dismiss();
console.log(pid);
