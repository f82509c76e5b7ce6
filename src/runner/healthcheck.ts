import { setTimeout as delay } from "node:timers/promises";
import { TermRunError } from "../errors.js";
import type { Healthcheck, Sandbox, Task } from "../interfaces/index.js";

/** Waits until the image's own check and the task's say that the sandbox is ready. */
export async function awaitReady(
  sandbox: Sandbox,
  { environment }: Task,
  signal: AbortSignal,
): Promise<void> {
  for (const check of [sandbox.healthcheck, environment.healthcheck])
    if (check) await awaitHealth(sandbox, check, { user: null, signal });
}

/** Waits until a health check passes; throws when it runs out of retries. */
export async function awaitHealth(
  sandbox: Sandbox,
  check: Healthcheck,
  options: { user: string | null; signal: AbortSignal },
): Promise<void> {
  const began = performance.now();
  const starting = () => performance.now() - began < check.startPeriodSec * 1000;
  for (let failures = 0; ; ) {
    const result = await sandbox.exec(check.command, {
      timeoutMs: check.timeoutSec * 1000,
      cwd: sandbox.workdir,
      ...options,
    });
    if (result.exitCode === 0 && !result.timedOut) return;
    const counts = !starting();
    if (counts) failures++;
    if (failures >= check.retries)
      throw new TermRunError(
        "infra",
        `the health check failed ${failures} times: ${check.command}\n${result.output.slice(-500)}`,
      );
    const pauseSec = counts ? check.intervalSec : check.startIntervalSec;
    await delay(pauseSec * 1000, undefined, { signal: options.signal });
  }
}
