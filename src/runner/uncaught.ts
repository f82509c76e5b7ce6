import { AsyncLocalStorage } from "node:async_hooks";
import { messageOf, TermRunError } from "../errors.js";

type Handler = (error: unknown) => void;

/** Follows every callback and promise back to the run or the trial that it was started for. */
const scope = new AsyncLocalStorage<Handler>();

/** What was started for a trial may never settle once one of its callbacks threw. */
const GRACE_MS = 60_000;

/** For the process's last resort: hands an error that nobody caught to where it comes from. */
export function handleUncaught(error: unknown): boolean {
  const handler = scope.getStore();
  handler?.(error);
  return handler !== undefined;
}

/** Errors that nobody catches in `work` go to `handler`. */
export function withUncaught<T>(handler: Handler, work: () => T): T {
  return scope.run(handler, work);
}

/** Work with its own failure, if something in it threw where nobody caught it. */
export interface Isolated<T> {
  /** null if it never came to an end. */
  value: T | null;
  failure: TermRunError | null;
}

/** Does work that its own uncaught errors end, and no others. */
export async function isolate<T>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Isolated<T>> {
  const controller = new AbortController();
  let failure: TermRunError | null = null;
  let giveUp = (_: null) => {};
  const overdue = new Promise<null>((resolve) => {
    giveUp = resolve;
  });
  let timer: NodeJS.Timeout | null = null;
  const onUncaught = (error: unknown) => {
    failure ??= describe(error);
    controller.abort(failure);
    timer ??= setTimeout(() => giveUp(null), GRACE_MS);
  };
  const both = AbortSignal.any([signal, controller.signal]);
  try {
    const value = await Promise.race([withUncaught(onUncaught, () => work(both)), overdue]);
    return { value, failure };
  } catch (error) {
    if (failure === null) throw error;
    return { value: null, failure };
  } finally {
    if (timer) clearTimeout(timer);
  }
}

function describe(error: unknown): TermRunError {
  return new TermRunError("infra", `an error that nothing handled: ${messageOf(error)}`, {
    hint: "This is a bug in term-run. The trial was ended; the others are not affected.",
    cause: error,
  });
}
