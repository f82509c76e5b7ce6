import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const PROTOCOLS = ["https:", "ssh:", "file:"];
/** `git@github.com:org/repo.git` */
const SCP_LIKE = /^\w[\w.-]*@\w[\w.-]*:[^:]/;

type Checked = { url: string } | { problem: string };

/**
 * The URL as git gets it, or why it can't be used. `baseDir` is what a path is relative to; with
 * null, only other machines may be named.
 */
export function checkGitUrl(text: string, baseDir: string | null): Checked {
  if (text.startsWith("-") || /\p{Cc}/u.test(text)) return { problem: "is not a git URL" };
  if (SCP_LIKE.test(text)) return { url: text };
  if (/^[a-z][\w+.-]*::/i.test(text)) return { problem: "names a transport that runs a program" };
  // With a colon in its first part, git would take it for a host and a path.
  if (/^[^:]*(\/|$)/.test(text)) return checkPath(text, baseDir);
  if (!URL.canParse(text) || !text.includes("://") || /\s/.test(text))
    return { problem: "is not a git URL" };
  const { protocol, username, password, host } = new URL(text);
  if (!PROTOCOLS.includes(protocol))
    return { problem: "must start with https://, ssh://, git@ or file://" };
  if (password !== "" || (username !== "" && protocol === "https:"))
    return { problem: "contains credentials: use a credential helper of git, or ssh" };
  if (protocol === "file:" && host === "") return checkPath(fileURLToPath(text), baseDir);
  if (host === "" || host.startsWith("-") || username.startsWith("-"))
    return { problem: "is not a git URL" };
  return protocol === "file:" ? { problem: "is on another machine" } : { url: text };
}

/** Whether it is there shows when it is needed: the cache may have what is wanted. */
function checkPath(path: string, baseDir: string | null): Checked {
  if (baseDir === null)
    return { problem: "is on this machine, and the registry that names it isn't" };
  return { url: pathToFileURL(resolve(baseDir, path)).href };
}
