import protobuf from "protobufjs";

/** The few messages of BuildKit that a build needs, with the numbers that its sources give. */
const root = protobuf.Root.fromJSON({
  nested: {
    StatusResponse: {
      fields: {
        vertexes: { rule: "repeated", type: "Vertex", id: 1 },
        logs: { rule: "repeated", type: "VertexLog", id: 3 },
        warnings: { rule: "repeated", type: "VertexWarning", id: 4 },
      },
    },
    Vertex: {
      fields: {
        digest: { type: "string", id: 1 },
        name: { type: "string", id: 3 },
        cached: { type: "bool", id: 4 },
        started: { type: "bytes", id: 5 },
        completed: { type: "bytes", id: 6 },
        error: { type: "string", id: 7 },
      },
    },
    VertexLog: {
      fields: { vertex: { type: "string", id: 1 }, msg: { type: "bytes", id: 4 } },
    },
    VertexWarning: {
      fields: { short: { type: "bytes", id: 3 } },
    },
    Packet: {
      fields: {
        type: { type: "int32", id: 1 },
        stat: { type: "Stat", id: 2 },
        id: { type: "uint32", id: 3 },
        data: { type: "bytes", id: 4 },
      },
    },
    Stat: {
      fields: {
        path: { type: "string", id: 1 },
        mode: { type: "uint32", id: 2 },
        size: { type: "int64", id: 5 },
        modTime: { type: "int64", id: 6 },
        linkname: { type: "string", id: 7 },
      },
    },
  },
});

export interface StatusResponse {
  vertexes: Vertex[];
  logs: { vertex: string; msg: Uint8Array }[];
  warnings: { short: Uint8Array }[];
}

interface Vertex {
  digest: string;
  name: string;
  cached: boolean;
  /** A time; what counts is whether there is one. */
  started?: Uint8Array;
  completed?: Uint8Array;
  error: string;
}

/** What goes back and forth while a folder is sent. */
export interface Packet {
  type: number;
  id?: number;
  data?: Uint8Array;
  stat?: Stat;
}

export interface Stat {
  path: string;
  mode: number;
  size: number;
  modTime: Halves;
  linkname: string;
}

/** A 64-bit number. */
interface Halves {
  low: number;
  high: number;
}

export const PACKET = { stat: 0, request: 1, data: 2, end: 3, error: 4 } as const;

export function readStatus(bytes: Uint8Array): StatusResponse {
  const type = root.lookupType("StatusResponse");
  return type.toObject(type.decode(bytes), { arrays: true }) as StatusResponse;
}

export function readPacket(bytes: Uint8Array): Packet {
  return root.lookupType("Packet").decode(bytes) as unknown as Packet;
}

export function writePacket(packet: Packet): Uint8Array {
  return root.lookupType("Packet").encode(packet).finish();
}

export function halvesOf(value: bigint): Halves {
  return { low: Number(BigInt.asIntN(32, value)), high: Number(BigInt.asIntN(32, value >> 32n)) };
}
