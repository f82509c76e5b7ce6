import { reasonOf } from "../log.js";
import { AgentError } from "./errors.js";

/** For a client's own limit, which is ours to set: longer than any of ours. */
export const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** Providers' packages are optional: one that is missing is named only when it is needed. */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const missing = (error as { code?: unknown }).code === "ERR_MODULE_NOT_FOUND";
    const message = missing
      ? `the package ${name} is not installed: npm install ${name}`
      : `the package ${name} can't be loaded: ${reasonOf(error)}`;
    throw new AgentError("invalid", message, { cause: error });
  }
}

/** A fetch that tells of every chunk, also of those that a client keeps to itself, like pings. */
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

/** For messages: providers quote the key that they refuse. */
export function redact(message: string, key: string | null): string {
  return key === null ? message : message.replaceAll(key, "[redacted]");
}
