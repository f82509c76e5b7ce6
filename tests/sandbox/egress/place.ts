// Runs in a network namespace of its own: the egress program, the resolver and servers that it
// finds, and clients. Does what it is told on stdin, a JSON line each, and answers in the same way.
import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, createServer as createRawServer } from "node:net";
import { createInterface } from "node:readline";
import { createServer as createTlsServer, connect as tlsConnect } from "node:tls";
import { fuzz } from "./fuzz.js";
import { EGRESS, RAW_SERVER, RESOLVER, SERVER } from "./network.js";

const [, , program = ""] = process.argv;
/** So that no certificate is needed. */
const KEYS = { ciphers: "PSK-AES128-GCM-SHA256", maxVersion: "TLSv1.2" as const };
const PSK = Buffer.from("00112233", "hex");
const asked: string[] = [];
const held: Promise<unknown>[] = [];

await startResolver();
createServer((request, response) => {
  if (request.url === "/big") response.end(Buffer.alloc(30_000_000, "x"));
  else response.end(`${request.method} ${request.headers.host} ${request.url}`);
}).listen(80, SERVER);
createTlsServer({ ...KEYS, pskCallback: () => PSK }, (socket) => {
  socket.on("data", (bytes) => socket.write(`secret ${bytes}`)).on("error", () => {});
}).listen(443, SERVER);
createRawServer({ allowHalfOpen: true }, (socket) => {
  let count = 0;
  socket.on("data", (bytes) => {
    count += bytes.length;
  });
  socket.on("end", () => socket.end(`${count} bytes`)).on("error", () => {});
}).listen(80, RAW_SERVER);

const egress = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
let said = "";
egress.stdout.on("data", (bytes) => {
  said += bytes;
});

interface Exchange {
  port: number;
  /** In base64; each is sent once the one before has left. */
  chunks: string[];
  end?: boolean;
  /** Stays open until the connection is asked for again. */
  hold?: boolean;
}

const commands: Record<string, (argument: never) => unknown> = {
  async order(lines: string) {
    said = "";
    egress.stdin.write(lines);
    while (!said.includes("\n")) await once(egress.stdout, "data");
    return said;
  },
  async query(message: string) {
    const socket = createSocket("udp4");
    socket.send(Buffer.from(message, "base64"), 53, EGRESS);
    const [answer] = (await once(socket, "message")) as [Buffer];
    socket.close();
    return answer.toString("base64");
  },
  exchange,
  /** Waits for the end of the connections that were held, and says how many there were. */
  async heldEnds() {
    const all = held.splice(0);
    await Promise.all(all.map((closed) => closed));
    return all.length;
  },
  async https(servername: string) {
    const options = {
      ...KEYS,
      host: EGRESS,
      port: 443,
      servername,
      checkServerIdentity: () => undefined,
    };
    const socket = tlsConnect({
      ...options,
      pskCallback: () => ({ psk: PSK, identity: "test" }),
    });
    try {
      await once(socket, "secureConnect");
      socket.write("hello");
      const [bytes] = (await once(socket, "data")) as [Buffer];
      return bytes.toString();
    } catch (error) {
      return (error as Error).message;
    } finally {
      socket.destroy();
    }
  },
  /** What the resolver was asked since the last time. */
  asked: () => asked.splice(0),
  fuzz,
  memoryKb: () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${egress.pid}/status`, "utf8"))?.[1]),
  isRunning: () => egress.exitCode === null,
  async endInput() {
    egress.stdin.end();
    const [code] = await once(egress, "exit");
    return code;
  },
};

const lines = createInterface({ input: process.stdin });
lines.on("line", async (line) => {
  const { id, name, argument } = JSON.parse(line);
  const result = await Promise.resolve(commands[name]?.(argument as never)).then(
    (value) => ({ id, value }),
    (error) => ({ id, error: String(error?.stack ?? error) }),
  );
  process.stdout.write(`${JSON.stringify(result)}\n`);
});
lines.on("close", () => process.exit());
process.stdout.write(`${JSON.stringify({ id: 0, value: "ready" })}\n`);

async function exchange({ port, chunks, end, hold }: Exchange) {
  const socket = connect({ port, host: EGRESS, allowHalfOpen: true });
  const closed = new Promise<unknown>((resolve) => socket.once("close", resolve));
  let received = "";
  let error: string | null = null;
  socket.on("data", (bytes) => {
    received += bytes.toString("latin1");
  });
  socket.on("error", (failure: NodeJS.ErrnoException) => {
    error = failure.code ?? failure.message;
  });
  socket.on("end", () => socket.end());
  for (const chunk of chunks)
    await new Promise<void>((resolve) => {
      socket.write(Buffer.from(chunk, "base64"), () => resolve());
    });
  if (end) socket.end();
  if (hold) {
    held.push(closed);
    await once(socket, "data");
  } else await closed;
  return { received: received.slice(0, 2000), bytes: received.length, error };
}

/** Knows the names of the tests, and remembers what it was asked. */
async function startResolver() {
  const socket = createSocket("udp4");
  socket.on("message", (message, from) => {
    let name = "";
    let at = 12;
    for (let label = message[at] ?? 0; label > 0; label = message[at] ?? 0) {
      name += `${message.toString("latin1", at + 1, at + 1 + label)}.`;
      at += 1 + label;
    }
    asked.push(name.slice(0, -1));
    const addresses: Record<string, string> = {
      "raw.test.": RAW_SERVER,
      "loop.test.": EGRESS,
      "inside.test.": "127.0.0.1",
      "metadata.test.": "169.254.169.254",
      "gone.test.": "10.9.9.9",
    };
    if (name === "silent.test.") return;
    const answer = Buffer.concat([
      message.subarray(0, at + 5),
      answerRecord(addresses[name] ?? SERVER),
    ]);
    answer.writeUInt16BE(0x8180, 2);
    // After an alias, as of a name that points to another.
    answer.writeUInt16BE(2, 6);
    answer.writeUInt32BE(0, 8);
    socket.send(answer, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(53, RESOLVER, resolve));
}

function answerRecord(address: string): Buffer {
  const alias = Buffer.from([0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 1, 0, 6, 3, 99, 100, 110, 0xc0, 12]);
  const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...address.split(".").map(Number)];
  return Buffer.concat([alias, Buffer.from(record)]);
}
