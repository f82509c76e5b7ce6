import { createSocket } from "node:dgram";
import { connect } from "node:net";
import { clientHello, dnsQuery } from "./messages.js";
import { EGRESS } from "./network.js";

interface Fuzz {
  seed: number;
  rounds: number;
}

const HEAD = "GET http://a.listed.test/ HTTP/1.1\r\nHost: a.listed.test\r\nAccept: */*\r\n\r\n";
const SEEDS: [port: number, bytes: Buffer][] = [
  [80, Buffer.from(HEAD)],
  [443, clientHello("a.listed.test", { padding: 40, recordBytes: 50 })],
  [53, Buffer.concat([Buffer.from([0, 31]), dnsQuery("a.listed.test")])],
];
const PARALLEL = 40;

/** Sends damaged queries and connections' beginnings; the program has to outlive them. */
export async function fuzz({ seed, rounds }: Fuzz): Promise<void> {
  const random = generator(seed);
  const datagrams = createSocket("udp4");
  datagrams.on("message", () => {});
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < 50; at++)
      datagrams.send(damage(dnsQuery("a.listed.test", 1 + random(300)), random), 53, EGRESS);
    await Promise.all(
      Array.from({ length: PARALLEL }, (_, at) => {
        const [port, bytes] = SEEDS[at % SEEDS.length] as (typeof SEEDS)[number];
        return send(port, damage(bytes, random), random);
      }),
    );
  }
  datagrams.close();
}

async function send(port: number, bytes: Buffer, random: (below: number) => number) {
  const socket = connect(port, EGRESS);
  const closed = new Promise<unknown>((resolve) => socket.once("close", resolve));
  socket.on("error", () => {}).resume();
  const cut = random(bytes.length + 1);
  socket.write(bytes.subarray(0, cut));
  await new Promise((resolve) => setImmediate(resolve));
  if (random(2) === 0) socket.resetAndDestroy();
  else socket.end(bytes.subarray(cut));
  await closed;
}

/** Changes, repeats, removes or adds some bytes. */
function damage(bytes: Buffer, random: (below: number) => number): Buffer {
  let damaged = Buffer.from(bytes);
  for (let count = random(6); count >= 0; count--) {
    const at = random(damaged.length);
    const kind = random(5);
    if (kind === 0) damaged[at] = random(256);
    else if (kind === 1) damaged[at] = [0, 255, 192, 63, 64, 10][random(6)] as number;
    else if (kind === 2) damaged = damaged.subarray(0, at + 1);
    else {
      const part =
        kind === 3 ? damaged.subarray(at, at + random(300)) : Buffer.alloc(random(20_000), at);
      damaged = Buffer.concat([damaged.subarray(0, at), part, damaged.subarray(at)]);
    }
    damaged = damaged.subarray(0, 40_000);
  }
  return damaged;
}

/** Numbers that a seed decides. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
