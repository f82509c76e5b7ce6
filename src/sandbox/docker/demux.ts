const HEADER_BYTES = 8;

/** Takes the frame headers out of a Docker stream without a TTY, wherever its chunks are cut. */
export function demux(onData: (bytes: Buffer) => void): (chunk: Buffer) => void {
  let header = Buffer.alloc(0);
  let left = 0;
  return (chunk) => {
    while (chunk.length > 0) {
      if (left > 0) {
        const part = chunk.subarray(0, left);
        left -= part.length;
        chunk = chunk.subarray(part.length);
        onData(part);
        continue;
      }
      const need = HEADER_BYTES - header.length;
      header = Buffer.concat([header, chunk.subarray(0, need)]);
      chunk = chunk.subarray(need);
      if (header.length === HEADER_BYTES) {
        left = header.readUInt32BE(4);
        header = Buffer.alloc(0);
      }
    }
  };
}
