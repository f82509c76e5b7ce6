/** Bytes that clients send, as small as they can be. */

const word = (value: number) => Buffer.from([value >> 8, value & 255]);

export const TYPE = { A: 1, TXT: 16, AAAA: 28, HTTPS: 65 };

export function dnsQuery(name: string, type = TYPE.A, id = 7): Buffer {
  const labels = name.split(".").filter((label) => label !== "");
  return Buffer.concat([
    word(id),
    Buffer.from([1, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
    ...labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, "latin1")]),
    Buffer.from([0]),
    word(type),
    word(1),
  ]);
}

/** What an answer says, as far as the tests look at it. */
export function readAnswer(answer: Buffer) {
  const count = answer.readUInt16BE(6);
  const address = count > 0 ? [...answer.subarray(-4)].join(".") : null;
  return { id: answer.readUInt16BE(0), code: (answer[3] ?? 0) & 15, count, address };
}

interface HelloOptions {
  /** How many bytes of the handshake go into each record. */
  recordBytes?: number;
  /** Bytes in an extension before the name, as of a large key share. */
  padding?: number;
}

/** A ClientHello; null: without a name. */
export function clientHello(
  name: string | null,
  { recordBytes = 16_384, padding = 0 }: HelloOptions = {},
): Buffer {
  const bytes = Buffer.from(name ?? "", "latin1");
  const names = Buffer.concat([Buffer.from([0]), word(bytes.length), bytes]);
  const extensions = Buffer.concat([
    ...(padding > 0 ? [word(51), word(padding), Buffer.alloc(padding)] : []),
    ...(name === null ? [] : [word(0), word(names.length + 2), word(names.length), names]),
  ]);
  const body = Buffer.concat([
    Buffer.from([3, 3]),
    Buffer.alloc(32, 9),
    Buffer.from([0, 0, 2, 0x13, 1, 1, 0]),
    word(extensions.length),
    extensions,
  ]);
  const hello = Buffer.concat([Buffer.from([1, 0]), word(body.length), body]);
  const records: Buffer[] = [];
  for (let at = 0; at < hello.length; at += recordBytes) {
    const part = hello.subarray(at, at + recordBytes);
    records.push(Buffer.from([22, 3, 1]), word(part.length), part);
  }
  return Buffer.concat(records);
}
