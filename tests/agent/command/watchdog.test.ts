import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { isAlive, until, useBench } from "../support.js";

const bench = useBench();
const SCRIPT = fileURLToPath(new URL("./two-sessions.ts", import.meta.url));

it("dismissing one session's watchdog leaves the other's agent alive and guarded", async () => {
  const first = bench.write("first.sh", `read -r line; echo '{"task_complete":true}'`);
  // It ignores the end of input, so only the watchdog can end it.
  const second = bench.write("second.sh", "echo waiting >&2; exec sleep 300");
  const runner = spawn(process.execPath, ["--import", "tsx", SCRIPT, bench.dir, first, second], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  bench.releases.push(async () => runner.kill("SIGKILL"));
  const [line] = await once(runner.stdout, "data");
  const pid = Number(String(line));
  expect(isAlive(pid)).toBe(true);
  runner.kill("SIGKILL");
  await until(() => !isAlive(pid));
});
