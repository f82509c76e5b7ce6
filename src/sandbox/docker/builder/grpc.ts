/** As much of gRPC as a builder that calls back needs. */
import type { ServerHttp2Stream } from "node:http2";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { messageOf } from "../../../errors.js";

export type Metadata = Map<string, string[]>;
/** Gets the messages of a call, gives those of the answer. */
export type GrpcHandler = (
  messages: AsyncIterable<Buffer>,
  metadata: Metadata,
) => AsyncIterable<Uint8Array>;

const OK = "0";
const UNKNOWN = "2";
const UNIMPLEMENTED = "12";
const HEADERS = { ":status": 200, "content-type": "application/grpc" };

export async function answerCall(
  stream: ServerHttp2Stream,
  metadata: Metadata,
  handler: GrpcHandler,
): Promise<void> {
  let failure: string | null = null;
  async function* frames(): AsyncGenerator<Buffer> {
    try {
      for await (const message of handler(readMessages(stream), metadata)) yield frame(message);
    } catch (error) {
      failure = messageOf(error);
    }
  }
  stream.respond(HEADERS, { waitForTrailers: true });
  stream.once("wantTrailers", () =>
    stream.sendTrailers(failure === null ? { "grpc-status": OK } : statusOf(UNKNOWN, failure)),
  );
  await pipeline(Readable.from(frames()), stream);
}

export function refuseCall(stream: ServerHttp2Stream, reason: string): void {
  stream.respond({ ...HEADERS, ...statusOf(UNIMPLEMENTED, reason) }, { endStream: true });
}

function statusOf(status: string, reason: string): Record<string, string> {
  return { "grpc-status": status, "grpc-message": encodeURIComponent(reason) };
}

async function* readMessages(stream: ServerHttp2Stream): AsyncGenerator<Buffer> {
  let buffer = Buffer.alloc(0);
  // Who has read enough still has to answer.
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    buffer = Buffer.concat([buffer, chunk as Buffer]);
    while (buffer.length >= 5 && buffer.length >= 5 + buffer.readUInt32BE(1)) {
      const end = 5 + buffer.readUInt32BE(1);
      yield buffer.subarray(5, end);
      buffer = buffer.subarray(end);
    }
  }
}

/** One byte that says "not compressed", the length, the message. */
function frame(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}
