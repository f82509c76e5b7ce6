import { randomUUID } from "node:crypto";
import http2, { type ServerHttp2Stream } from "node:http2";
import type { Duplex } from "node:stream";
import type Docker from "dockerode";
import { answerCall, type GrpcHandler, type Metadata, refuseCall } from "./grpc.js";

/** The engine calls it once a second, and gives the session up if it isn't answered. */
const HEALTH = "/grpc.health.v1.Health/Check";
/** `status: SERVING` */
const SERVING = Buffer.from([8, 1]);

export interface BuildSession {
  id: string;
  close(): void;
}

/** The engine has no builder that asks for sessions. */
export class NoSessionError extends Error {}

/**
 * Opens a connection on which the engine's builder calls us, as it calls Docker's own command line:
 * for the files that it needs.
 */
export async function openSession(
  docker: Docker,
  {
    methods,
    shared,
    signal,
  }: { methods: Record<string, GrpcHandler>; shared: string; signal: AbortSignal },
): Promise<BuildSession> {
  const id = randomUUID();
  const socket = await dial(docker, signal, {
    "X-Docker-Expose-Session-Uuid": id,
    "X-Docker-Expose-Session-Name": "term-run",
    "X-Docker-Expose-Session-Sharedkey": shared,
    "X-Docker-Expose-Session-Grpc-Method": [...Object.keys(methods), HEALTH],
  });
  // A connection that breaks ends the build, which says so.
  socket.on("error", () => {});
  const session = http2.performServerHandshake(socket);
  session.on("error", () => {});
  session.on(
    "stream",
    (stream: ServerHttp2Stream, ...[, , rawHeaders]: [object, number, string[]]) => {
      stream.on("error", () => {});
      const metadata = metadataOf(rawHeaders);
      const path = metadata.get(":path")?.[0] ?? "";
      const handler = path === HEALTH ? answerHealth : methods[path];
      if (!handler) return refuseCall(stream, `${path} isn't here`);
      // Who called has gone: nobody is left to tell.
      answerCall(stream, metadata, handler).catch(() => {});
    },
  );
  return {
    id,
    close: () => {
      session.destroy();
      socket.destroy();
    },
  };
}

async function* answerHealth(): AsyncGenerator<Uint8Array> {
  yield SERVING;
}

/** A header may come several times. */
function metadataOf(raw: string[]): Metadata {
  const metadata: Metadata = new Map();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = String(raw[at]);
    metadata.set(name, [...(metadata.get(name) ?? []), String(raw[at + 1])]);
  }
  return metadata;
}

function dial(
  docker: Docker,
  signal: AbortSignal,
  headers: Record<string, string | string[]>,
): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const options = {
      method: "POST",
      path: "/session",
      hijack: true,
      headers: { ...headers, Upgrade: "h2c" },
      abortSignal: signal,
      // An answer, instead of a connection, is a refusal.
      statusCodes: {},
    };
    docker.modem.dial(options, (error: unknown, socket: unknown) => {
      if (!error) return resolve(socket as Duplex);
      const { statusCode, message } = error as Error & { statusCode?: number };
      reject(statusCode ? new NoSessionError(message.trim()) : error);
    });
  });
}
