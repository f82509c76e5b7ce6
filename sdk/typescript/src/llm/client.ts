import { reasonOf } from "../log.js";
import { AgentError } from "./errors.js";

/** Disables a client's own timeout: longer than any of ours. */
export const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** Provider packages are optional; a missing one is reported only when it is needed. */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const missing = (error as { code?: unknown }).code === "ERR_MODULE_NOT_FOUND";
    const message = missing
      ? `the package ${name} is not installed: npm install ${name}`
      : `can't load the package ${name}: ${reasonOf(error)}`;
    throw new AgentError("invalid", message, { cause: error });
  }
}

/** A fetch that reports every chunk, including pings that the client doesn't expose. */
export function watchedFetch(alive: () => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    alive();
    if (!response.body) return response;
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        alive();
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(watch), response);
  };
}

/** For error messages: providers quote a rejected key. */
export function redact(message: string, key: string | null): string {
  return key === null ? message : message.replaceAll(key, "[redacted]");
}
