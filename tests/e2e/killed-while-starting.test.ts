import { connect, createServer, type NetConnectOpts } from "node:net";
import { join } from "node:path";
import Docker from "dockerode";
import { describe, expect, it, onTestFinished } from "vitest";
import { HELLO, hasDocker, makePlace, startRun } from "./cli.js";
import { expectNoTraces } from "./traces.js";

/** The requests that a runner sends to the engine, in this order, to start a sandbox. */
const REQUESTS = [/^POST \/containers\/create/, /^POST \/containers\/[^/]+\/attach/, /\/start /];

describe.skipIf(!hasDocker)("SIGKILL of the runner while a container starts", () => {
  it.each(REQUESTS)("after the engine's response to %s: nothing is left", async (request) => {
    const place = makePlace();
    const socket = join(place.dir, "engine.sock");
    place.env.DOCKER_HOST = `unix://${socket}`;
    let answered = false;
    const proxy = createProxy(await findEngine(), request, () => {
      answered = true;
      run.kill();
    });
    await new Promise<void>((resolve) => proxy.listen(socket, resolve));
    onTestFinished(() => void proxy.close());
    const run = startRun([HELLO, "--agent", "oracle", "--sandbox", "docker"], place);
    await run.ended;
    expect(answered).toBe(true);
    await expectNoTraces(place);
  });
});

/** Where the engine listens; without DOCKER_HOST its socket is searched for. */
async function findEngine(): Promise<NetConnectOpts> {
  const { modem } = new Docker() as unknown as {
    modem: { host: string; port: string; getSocketPath(): Promise<string> | undefined };
  };
  const path = await modem.getSocketPath();
  return path ? { path } : { host: modem.host, port: Number(modem.port) };
}

/** A proxy between a client and the engine, which reports the first answer to a request. */
function createProxy(place: NetConnectOpts, request: RegExp, onAnswer: () => void) {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const engine = connect(place);
    let isAsked = false;
    client.on("data", (chunk) => {
      isAsked ||= request.test(chunk.toString("latin1"));
      engine.write(chunk);
    });
    engine.on("data", (chunk) => {
      if (isAsked) onAnswer();
      isAsked = false;
      client.write(chunk);
    });
    // To the engine, the client disconnects when this does.
    client.on("end", () => engine.end()).on("close", () => engine.destroy());
    engine.on("end", () => client.end());
    for (const end of [client, engine]) end.on("error", () => {});
  });
  return server;
}
