import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { findProgram } from "../../../src/sandbox/native/find-program.js";
import { EGRESS, RAW_SERVER, RESOLVER, SERVER } from "./network.js";

const PLACE = fileURLToPath(new URL("./place.ts", import.meta.url));
const SET_UP = [
  'mount --bind "$1" /etc/resolv.conf',
  "ip link set lo up",
  ...[EGRESS, SERVER, RAW_SERVER, RESOLVER].map((address) => `ip addr add ${address}/32 dev lo`),
  "shift",
  'exec "$@"',
].join(" && ");

export interface EgressPlace {
  do<T>(name: string, argument?: unknown): Promise<T>;
  leave(): Promise<void>;
}

/** Starts the program in a network namespace with everything that it talks to; see place.ts. */
export async function enterPlace(): Promise<EgressPlace> {
  const dir = mkdtempSync(join(tmpdir(), "egress-"));
  const resolv = join(dir, "resolv.conf");
  writeFileSync(resolv, `# a comment\nsearch x\nnameserver ${RESOLVER}\n`);
  const user = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  const program = findProgram("egress", process.arch);
  const place = [process.execPath, "--import", "tsx", PLACE, program];
  const child = execa(
    "unshare",
    [...user, "--net", "--mount", "sh", "-c", SET_UP, "sh", resolv, ...place],
    { stdin: "pipe", stdout: "pipe", stderr: "inherit", reject: false, buffer: false },
  );
  const waiting = new Map<number, (answer: { value?: unknown; error?: string }) => void>();
  const answerTo = (id: number) =>
    new Promise<never>((resolve, reject) => {
      const gone = () => reject(new Error("the place is gone"));
      child.once("exit", gone);
      waiting.set(id, ({ value, error }) => {
        child.off("exit", gone);
        error === undefined ? resolve(value as never) : reject(new Error(error));
      });
    });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, ...answer } = JSON.parse(line);
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  let last = 0;
  await answerTo(last);
  return {
    do: (name, argument = null) => {
      const answer = answerTo(++last);
      child.stdin.write(`${JSON.stringify({ id: last, name, argument })}\n`);
      return answer;
    },
    leave: async () => {
      child.stdin.end();
      await child;
      rmSync(dir, { recursive: true });
    },
  };
}
