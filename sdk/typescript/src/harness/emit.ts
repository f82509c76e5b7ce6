import { log, traceOf } from "../log.js";
import type { Handler, HarnessEvents } from "./types.js";

export type Emit = <Name extends keyof HarnessEvents>(
  name: Name,
  event: HarnessEvents[Name],
) => void;

/** A handler that fails is the handler's affair: it is logged, and the loop goes on. */
export function emitTo(handler: Handler): Emit {
  return (name, event) => {
    const failed = (error: unknown) => log(`the handler of ${name} failed: ${traceOf(error)}`);
    try {
      const returned: unknown = handler[name]?.({ ...event, timestamp: Date.now() });
      // An async method is not waited for, but its rejection would end the process.
      if (returned instanceof Promise) returned.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}
