import { readFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf, TermRunError } from "../../errors.js";
import { cacheFolder, nameForUrl, writeCached } from "../cache.js";
import type { FetchReport } from "../fetch-report.js";

const TIMEOUT_MS = 2 * 60 * 1000;
const MAX_BYTES = 200 * 1024 * 1024;
const MAX_REDIRECTS = 5;

interface Copy {
  etag: string | null;
  fetched_at: string;
  text: string;
}

/** Whether a registry may be downloaded from there: nobody on the way can change it. */
export function isSafeUrl({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** The URL without what may be a secret. */
export function nameUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** The text at a URL. It is kept in the cache: for when it hasn't changed, and when there is no network. */
export async function download(url: URL, report: FetchReport): Promise<string> {
  const name = nameUrl(url);
  const file = join(cacheFolder(), "registries", `${nameForUrl(url.href)}.json`);
  const copy = readCopy(file);
  report.progress(`reading ${name}`);
  try {
    const response = await request(url, copy?.etag ?? null);
    if (response.status === 304 && copy) return copy.text;
    if (!response.ok) throw new Error(`the server answers ${response.status}`);
    const text = await readBody(response);
    const fresh = {
      etag: response.headers.get("etag"),
      fetched_at: new Date().toISOString(),
      text,
    };
    writeCached(file, JSON.stringify(fresh satisfies Copy));
    return text;
  } catch (error) {
    if (error instanceof TermRunError) throw error;
    if (!copy)
      throw new TermRunError("infra", `${name} can't be read: ${reasonOf(error)}`, {
        hint: "Check the URL and the network. --registry also takes a file, a folder or a git URL.",
        cause: error,
      });
    const when = copy.fetched_at.slice(0, 10);
    report.warning(`${name} can't be read (${reasonOf(error)}): using the copy of ${when}`);
    return copy.text;
  }
}

/** Follows redirects by hand, so that none leads to an unsafe place. */
async function request(url: URL, etag: string | null): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let target = url;
  for (let left = MAX_REDIRECTS; left >= 0; left--) {
    const headers = etag === null ? {} : { "if-none-match": etag };
    const response = await fetch(target, { headers, redirect: "manual", signal });
    const location = response.headers.get("location");
    if (response.status === 304 || response.status < 300 || location === null) return response;
    await response.body?.cancel();
    target = new URL(location, target);
    if (!isSafeUrl(target))
      throw new Error(`it redirects to ${nameUrl(target)}, which isn't https`);
  }
  throw new Error("it redirects too often");
}

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES / 2 ** 20} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function readCopy(file: string): Copy | null {
  try {
    const copy = JSON.parse(readFileSync(file, "utf8")) as Copy;
    return typeof copy.text === "string" ? copy : null;
  } catch {
    return null;
  }
}

/** Node says only "fetch failed", and why in the cause. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  return cause ? messageOf(cause) || String(cause.code) : messageOf(error);
}
