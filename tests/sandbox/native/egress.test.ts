import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProgram } from "../../../src/sandbox/native/find-program.js";
import { type EgressPlace, enterPlace } from "../egress/enter.js";
import { clientHello, dnsQuery, readAnswer, TYPE } from "../egress/messages.js";
import { EGRESS, SERVER } from "../egress/network.js";

describe("the committed programs", () => {
  it.each([
    ["init", "x64", ["init.c", "base.h"]],
    ["init", "arm64", ["init.c", "base.h"]],
    ["egress", "x64", ["egress.c", "egress-names.h", "base.h"]],
    ["egress", "arm64", ["egress.c", "egress-names.h", "base.h"]],
  ] as const)("%s for %s is built from the sources as they are", (name, architecture, sources) => {
    const hash = createHash("sha256");
    for (const source of sources)
      hash.update(
        readFileSync(
          fileURLToPath(new URL(`../../../src/sandbox/native/${source}`, import.meta.url)),
        ),
      );
    const program = readFileSync(findProgram(name, architecture), "latin1");
    expect(program).toContain(`source-sha256:${hash.digest("hex")}`);
  });

  it("there are none for other processors", () => {
    expect(() => findProgram("init", "s390x")).toThrow("s390x processors are not supported");
  });
});

const LIST = "allow listed.test\nallow raw.test\nallow *.wild.test\n";
const REFUSED = "HTTP/1.1 403 Forbidden";
const UNREACHABLE = "HTTP/1.1 502 Bad Gateway";

interface Received {
  received: string;
  bytes: number;
  error: string | null;
}

describe.runIf(process.platform === "linux")("the egress program", () => {
  let place: EgressPlace;
  const apply = (lines: string) => place.do<string>("order", `${lines}apply\n`);
  const ask = async (name: string, type?: number) => {
    const answer = await place.do<string>("query", dnsQuery(name, type).toString("base64"));
    return readAnswer(Buffer.from(answer, "base64"));
  };
  const exchange = (port: number, chunks: (string | Buffer)[], options = {}) => {
    const encoded = chunks.map((chunk) => Buffer.from(chunk as string).toString("base64"));
    return place.do<Received>("exchange", { port, chunks: encoded, ...options });
  };
  const get = async (host: string, path = "/") =>
    (await exchange(80, [`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`]))
      .received;

  beforeEach(async () => {
    place = await enterPlace();
    expect(await place.do("order", `address ${EGRESS}\n${LIST}apply\n`)).toBe("applied\n");
  });
  afterEach(() => place.leave());

  it("answers for allowed names with its own address, and for no others", async () => {
    const own = { code: 0, count: 1, address: EGRESS };
    expect(await ask("listed.test")).toMatchObject(own);
    expect(await ask("LISTED.test.")).toMatchObject(own);
    expect(await ask("a.wild.test")).toMatchObject(own);
    expect(await ask("b.a.wild.test")).toMatchObject(own);
    for (const type of [TYPE.AAAA, TYPE.TXT, TYPE.HTTPS])
      expect(await ask("listed.test", type)).toMatchObject({ code: 0, count: 0 });
    const none = { code: 3, count: 0 };
    for (const name of [
      "other.test",
      "a.listed.test",
      "wild.test",
      "xwild.test",
      "test",
      "",
      "listed.test.evil",
    ])
      expect(await ask(name)).toMatchObject(none);
    for (const name of [
      "c2VjcmV0.tunnel.test",
      "listed.test\0.tunnel.test",
      `${"a".repeat(63)}.tunnel.test`,
    ])
      for (const type of [TYPE.A, TYPE.AAAA, TYPE.TXT])
        expect(await ask(name, type)).toMatchObject(none);
    expect(await place.do("asked")).toEqual([]);
  });

  it("answers over TCP as well, several queries after each other", async () => {
    const queries = ["listed.test", "other.test"].map((name) => {
      const query = dnsQuery(name);
      return Buffer.concat([Buffer.from([0, query.length]), query]);
    });
    const { received } = await exchange(53, queries, { end: true });
    const bytes = Buffer.from(received, "latin1");
    const first = bytes.subarray(2, 2 + bytes.readUInt16BE(0));
    expect(readAnswer(first)).toMatchObject({ code: 0, address: EGRESS });
    expect(readAnswer(bytes.subarray(2 + first.length + 2))).toMatchObject({ code: 3, count: 0 });
  });

  it("asks its own resolver for the names on its network, and for nothing but their addresses", async () => {
    await apply("local db\n");
    expect(await ask("DB")).toMatchObject({ id: 7, code: 0, address: SERVER });
    expect(await ask("db", TYPE.TXT)).toMatchObject({ code: 0, count: 0 });
    expect(await ask("a.db")).toMatchObject({ code: 3, count: 0 });
    expect(await place.do("asked")).toEqual(["db"]);
  });

  it("passes on HTTP for allowed hosts only", async () => {
    expect(await get("listed.test", "/path")).toContain("GET listed.test /path");
    expect(await get("Any.Wild.test:80")).toContain("GET Any.Wild.test:80 /");
    expect(await get("other.test")).toContain(REFUSED);
    expect(await get(SERVER)).toContain(REFUSED);
    expect(await place.do("asked")).toEqual(["listed.test", "any.wild.test"]);
  });

  it.each([
    ["no host", "GET / HTTP/1.0\r\n\r\n"],
    ["two hosts", "GET / HTTP/1.1\r\nHost: listed.test\r\nHost: other.test\r\n\r\n"],
    ["a folded header", "GET / HTTP/1.1\r\nHost: listed.test\r\n Host: other.test\r\n\r\n"],
    [
      "a blank before the colon",
      "GET / HTTP/1.1\r\nHost: listed.test\r\nHost : other.test\r\n\r\n",
    ],
    ["another host in the target", "GET http://other.test/ HTTP/1.1\r\nHost: listed.test\r\n\r\n"],
    [
      "a user in the target",
      "GET http://listed.test@other.test/ HTTP/1.1\r\nHost: listed.test\r\n\r\n",
    ],
    ["CONNECT", "CONNECT listed.test:443 HTTP/1.1\r\nHost: listed.test\r\n\r\n"],
    [
      "a carriage return in a line",
      "GET / HTTP/1.1\r\nA: b\rHost: other.test\r\nHost: listed.test\r\n\r\n",
    ],
    ["a NUL", "GET / HTTP/1.1\r\nHost: listed.test\0.other.test\r\n\r\n"],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["no HTTP", "SSH-2.0-client\r\n"],
    ["an endless head", `GET / HTTP/1.1\r\nHost: listed.test\r\nA: ${"a".repeat(20_000)}`],
  ])("refuses a request with %s", async (_what, head) => {
    expect((await exchange(80, [head])).received).toContain(REFUSED);
    expect(await place.do("asked")).toEqual([]);
  });

  it("takes a request in the form that proxies get", async () => {
    const { received } = await exchange(80, [
      "GET http://listed.test/x HTTP/1.1\r\nHost: listed.test\r\nConnection: close\r\n\r\n",
    ]);
    expect(received).toContain("200 OK");
  });

  it("passes on large bodies whole, and the end of each direction by itself", async () => {
    const big = await exchange(80, [
      "GET /big HTTP/1.1\r\nHost: listed.test\r\nConnection: close\r\n\r\n",
    ]);
    expect(big.bytes).toBeGreaterThan(30_000_000);
    const head = "PUT / HTTP/1.1\r\nHost: raw.test\r\n\r\n";
    const body = Buffer.alloc(5_000_000, "y");
    const sent = await exchange(80, [head, body], { end: true });
    expect(sent.received).toBe(`${head.length + body.length} bytes`);
  });

  it("passes on TLS by the name in its first message, however that is cut", async () => {
    expect(await place.do("https", "listed.test")).toBe("secret hello");
    expect(await place.do("https", "a.wild.test")).toBe("secret hello");
    expect(await place.do("https", "other.test")).toContain("access denied");
    const hello = clientHello("listed.test", { padding: 3000, recordBytes: 700 });
    const pieces = Array.from(hello, (_, at) => at % 97).flatMap((rest, at) =>
      rest === 0 ? [hello.subarray(at, at + 97)] : [],
    );
    // An alert of the server's own: it doesn't know this kind of key exchange.
    expect((await exchange(443, pieces)).received).not.toContain("\x02\x31");
    expect(await place.do("asked")).toEqual(["listed.test", "a.wild.test", "listed.test"]);
  });

  it.each([
    ["another name", clientHello("other.test")],
    ["no name", clientHello(null)],
    ["an empty name", clientHello("")],
    ["an address", clientHello(SERVER)],
    ["a NUL in the name", clientHello("listed.test\0.other.test")],
    ["the name in a second list", Buffer.concat([clientHello(null), clientHello("listed.test")])],
    ["no TLS at all", Buffer.from("GET / HTTP/1.1\r\nHost: listed.test\r\n\r\n")],
    ["a hello that is too large", clientHello("listed.test", { padding: 20_000 })],
  ])("refuses TLS with %s", async (_what, hello) => {
    expect((await exchange(443, [hello])).received).toBe("\x15\x03\x01\x00\x02\x02\x31");
    expect(await place.do("asked")).toEqual([]);
  });

  it("never connects to itself, to its own machine or to a cloud's metadata", async () => {
    await apply("allow *.test\n");
    for (const host of ["loop.test", "inside.test", "metadata.test", "gone.test"])
      expect(await get(host)).toContain(UNREACHABLE);
  });

  it("gives up on a resolver that doesn't answer", async () => {
    await apply("allow silent.test\n");
    expect(await get("silent.test")).toContain(UNREACHABLE);
    expect(await place.do("asked")).toEqual(Array(4).fill("silent.test"));
  });

  it("ends every connection with the list that allowed it", async () => {
    const request = "GET / HTTP/1.1\r\nHost: listed.test\r\n\r\n";
    const held = await Promise.all([
      exchange(80, [request], { hold: true }),
      exchange(80, [request], { hold: true }),
    ]);
    expect(held[0]?.received).toContain("200 OK");
    expect(await apply("allow other.test\n")).toBe("applied\n");
    expect(await place.do("heldEnds")).toBe(2);
    expect(await get("listed.test")).toContain(REFUSED);
    expect(await get("other.test")).toContain("200 OK");
    expect(await ask("listed.test")).toMatchObject({ code: 3 });
  });

  it("allows nothing without a list, and everything when it is open", async () => {
    await apply("");
    expect(await get("listed.test")).toContain(REFUSED);
    expect(await ask("listed.test")).toMatchObject({ code: 3 });
    await apply("open\n");
    expect(await ask("anything.test")).toMatchObject({ id: 7, code: 0, address: SERVER });
    expect(await ask("anything.test", TYPE.TXT)).toMatchObject({ id: 7 });
  });

  it("serves others while hundreds of connections are open", async () => {
    const waiting = Array.from({ length: 700 }, () =>
      exchange(80, ["GET / HTTP/1.1\r\n"], { end: true }),
    );
    expect(await get("listed.test")).toContain("200 OK");
    await Promise.all(waiting);
    expect(await get("listed.test")).toContain("200 OK");
  });

  it("outlives damaged input, in little memory", { timeout: 300_000 }, async () => {
    const seed = Date.now() % 1_000_000;
    for (const at of [1, 2, 3, seed]) await place.do("fuzz", { seed: at, rounds: 30 });
    expect(await place.do("isRunning"), `seed ${seed}`).toBe(true);
    expect(await get("listed.test"), `seed ${seed}`).toContain("200 OK");
    expect(await place.do<number>("memoryKb")).toBeLessThan(40_000);
  });

  it("ends with its input, and on orders that it doesn't know", async () => {
    expect(await place.do("endInput")).toBe(0);
    await place.leave();
    place = await enterPlace();
    expect(await place.do("order", "permit x\n")).toBe("it was told what it can't do\n");
  });
});
