import { log, traceOf } from "../log.js";
import type { Handler, HarnessEvents } from "./types.js";

export type Emit = <Name extends keyof HarnessEvents>(
  name: Name,
  event: HarnessEvents[Name],
) => void;

/** Logs the error of a failing handler and continues. */
export function emitTo(handler: Handler): Emit {
  return (name, event) => {
    const failed = (error: unknown) => log(`the ${name} handler failed: ${traceOf(error)}`);
    try {
      const returned: unknown = handler[name]?.({ ...event, timestamp: Date.now() });
      // Async handlers aren't awaited, but an unhandled rejection would end the process.
      if (returned instanceof Promise) returned.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}
