import { log, reasonOf } from "./log.js";
import type { Channel } from "./session.js";

export interface StdioChannel extends Channel {
  close(): void;
}

/** Reserves stdin and stdout for the protocol. Until closed, other output goes to stderr. */
export function openStdio(): StdioChannel {
  const lines = readLines(process.stdin);
  const { stdout, stderr } = process;
  const write = stdout.write;
  stdout.write = stderr.write.bind(stderr);
  // Without a listener, a runner that has exited would crash the agent before its cleanup.
  stdout.on("error", () => {});

  return {
    async receive() {
      try {
        const { value, done } = await lines.next();
        return done ? null : value;
      } catch (error) {
        log(`can't read stdin: ${reasonOf(error)}`);
        return null;
      }
    },
    send(line) {
      // The callback runs once the bytes are flushed.
      return new Promise((resolve) => {
        write.call(stdout, `${line}\n`, "utf8", (error) => resolve(!error));
      });
    },
    close() {
      stdout.write = write;
      // An open stdin would keep the process alive.
      process.stdin.destroy();
    },
  };
}

/**
 * Splits at newlines only. Node's readline also splits at U+2028 and U+2029, which JSON allows
 * unescaped in strings. Bytes are joined before decoding, so no character is split.
 */
export async function* readLines(
  input: AsyncIterable<Buffer | string>,
): AsyncGenerator<string, undefined> {
  let parts: Buffer[] = [];
  for await (const chunk of input) {
    let rest = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield Buffer.concat([...parts, rest.subarray(0, end)]).toString("utf8");
      parts = [];
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) parts.push(rest);
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString("utf8");
}
